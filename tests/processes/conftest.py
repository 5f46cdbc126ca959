"""No engine outlives the test that started it; one process tries commands on files for all tests."""

import pytest

from tests.processes.file_trials import Trials
from tests.processes.gtp_client import end_all


@pytest.fixture(autouse=True, scope="module")
def no_engine_is_left():
    yield
    end_all()


@pytest.fixture(scope="session")
def trials():
    """A process that tries commands on files."""
    found = Trials()
    yield found
    found.close()
