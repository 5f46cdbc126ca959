"""No engine outlives the test that started it."""

import pytest

from tests.processes.gtp_client import end_all


@pytest.fixture(autouse=True, scope="module")
def no_engine_is_left():
    yield
    end_all()
