"""Parameters: from options, presets and files to one checked configuration."""

import json

import pytest

import gtp_main
from players.kinds import TRAINED, part
from players.training import config as configuration
from players.training.config import ConfigError
from tests.players.training.toy.trainer import Config

TOY = "tests.players.training.toy.trainer:Trainer"


def parse(words):
    """The parameters that the command line's own parser finds in the words of ``train``."""
    given = vars(gtp_main.build_parser().parse_args(["train", TOY, *words]))
    prefix = gtp_main._PARAMETER
    return configuration.parse(Config, {name.removeprefix(prefix): given[name] for name in given if name.startswith(prefix)})


@pytest.mark.parametrize(
    "words, expected",
    [
        ([], {}),
        (["--bits", "7", "--flip", "0.25"], {"bits": 7, "flip": 0.25}),
        (["--flip", "1"], {"flip": 1.0}),
        (["--boards", "5, 7,9"], {"boards": (5, 7, 9)}),
        (["--boards", ""], {"boards": ()}),
        (["--no-elitism"], {"elitism": False}),
        (["--elitism"], {"elitism": True}),
        (["--limit", "3"], {"limit": 3}),
        (["--limit", "none"], {"limit": None}),
        (["--style", "wild", "--retest-every", "4"], {"style": "wild", "retest_every": 4}),
    ],
)
def test_options(words, expected):
    assert parse(words) == expected


@pytest.mark.parametrize("text", ["--bits x", "--bits 1.5", "--bits none", "--boards 5,x", "--flip x"])
def test_bad_options(text):
    words = text.split()
    with pytest.raises(ConfigError) as caught:
        parse(words)
    assert words[0] in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "values, message",
    [
        ({"colour": 1}, "unknown parameter 'colour'"),
        ({"bits": "many"}, "bits must be a whole number"),
        ({"bits": True}, "bits must be a whole number"),
        ({"bits": 1.5}, "bits must be a whole number"),
        ({"bits": None}, "bits needs a value"),
        ({"flip": "x"}, "flip must be a number"),
        ({"elitism": 1}, "elitism must be true or false"),
        ({"boards": 5}, "boards must be a list"),
        ({"boards": ["a"]}, "boards must be a whole number"),
        ({"bits": [1]}, "bits must be a whole number"),
        ({"flip": float("nan")}, "flip must be a number"),
        ({"style": "rude"}, "style must be one of calm, wild"),
        ({"population": 1}, "population must be at least 2"),
        ({"retest_games": 0}, "retest-games must be at least 1"),
    ],
)
def test_bad_values(values, message):
    with pytest.raises(ConfigError, match=message):
        configuration.make(Config, values)


def test_round_trip_and_precedence():
    config = configuration.make(Config, {"bits": 3, "flip": 1}, {"retest-every": 9, "boards": [9]}, {"bits": 4})
    assert (config.bits, config.flip, config.retest_every, config.boards) == (4, 1.0, 9, (9,))
    assert configuration.make(Config, json.loads(json.dumps(configuration.to_json(config)))) == config


def run(words):
    """The exit code of a command line."""
    try:
        return gtp_main.main(words)
    except SystemExit as stop:
        return stop.code


def print_config(capsys, *words):
    assert gtp_main.main(["train", TOY, "--print-config", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_defaults_preset_file_options_in_this_order(capsys, tmp_path):
    default = print_config(capsys)
    assert default["kind"] == "toy" and default["generations"] == 12 and default["boards"] == [5, 7]
    file = tmp_path / "c.json"
    file.write_text(json.dumps({"population": 6, "bits": 8}))
    words = ["--preset", "quick", "--config", str(file), "--bits", "9"]
    changed = {name: value for name, value in print_config(capsys, *words).items() if value != default[name]}
    assert changed == {"generations": 2, "population": 6, "bits": 9}


def test_what_is_printed_can_be_read(capsys, tmp_path):
    file = tmp_path / "c.json"
    first = print_config(capsys, "--no-elitism", "--boards", "9", "--limit", "5")
    file.write_text(json.dumps(first))
    assert print_config(capsys, "--config", str(file)) == first


@pytest.mark.parametrize(
    "content, words",
    [
        ("{", "not valid JSON"),
        ("[]", "one JSON object"),
        ('{"kind": "sane"}', "configuration of sane"),
        ('{"nonsense": 1}', "unknown parameter 'nonsense'"),
        (None, "No such file"),
    ],
)
def test_bad_files(capsys, tmp_path, content, words):
    file = tmp_path / "c.json"
    if content is not None:
        file.write_text(content)
    assert gtp_main.main(["train", TOY, "--print-config", "--config", str(file)]) == 1
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "words, message",
    [
        (["train"], "say what to train"),
        (["train", TOY], "--out GENOME"),
        (["train", TOY, "--preset", "nice", "--out", "x"], "there are: paper, quick"),
        (["train", TOY, "--workers", "0", "--out", "x"], "--workers must be at least 1"),
        (["train", TOY, "--hours", "0", "--out", "x"], "--hours must be a number above 0"),
        (["train", TOY, "--hours", "nan", "--out", "x"], "--hours must be a number above 0"),
        (["train", "--resume", "/nowhere"], "not a run folder"),
        (["train", "--resume", "/nowhere", "--generations", "9"], "not a run folder"),
    ],
)
def test_bad_command_lines(capsys, words, message):
    assert run(words) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["chess"], ["no.such.module:Trainer"], ["tests.players.training.toy.trainer:Nobody"], [TOY, "--colour", "1"]]
)
def test_unknown_trainers_and_options(capsys, words):
    with pytest.raises(SystemExit) as caught:
        gtp_main.main(["train", *words])
    assert caught.value.code == 2 and capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("kind", ["chess", "onnx"])
def test_only_what_can_be_trained_is_offered(capsys, kind):
    with pytest.raises(SystemExit):
        gtp_main.main(["train", kind])
    error = capsys.readouterr().err
    assert repr(kind) in error and f"choose from {', '.join(TRAINED)}, or module:Class" in error
    assert "onnx" not in TRAINED and all(part(name, "trainer").Trainer for name in TRAINED)


@pytest.mark.parametrize(
    "words, where",
    [
        (["train", TOY, "--colour", "1"], f"evogo train {TOY} --help"),
        (["train", "sane", "--workers", "many"], "evogo train sane --help"),
        (["train", "--colour", "1"], "evogo train --help"),
        (["experiment", "sane", "--colour", "1"], "evogo experiment sane --help"),
        (["match", "random", "random", "--colour", "1"], "evogo match --help"),
        (["--colour", "1"], "evogo gtp --help"),
    ],
)
def test_a_wrong_option_points_to_the_help_that_has_the_right_ones(capsys, words, where):
    with pytest.raises(SystemExit):
        gtp_main.main(words)
    assert capsys.readouterr().err.endswith(f" (see {where})\n")


def test_help_says_where_values_come_from(capsys):
    with pytest.raises(SystemExit):
        gtp_main.main(["train", TOY, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "[24; author's code]" in text and "as in 5% [0.05; our choice]" in text
    assert "presets (times on two cores): paper quick two generations, for a look" in text


@pytest.mark.parametrize("kind", TRAINED)
def test_help_tells_what_to_expect_of_each_preset(capsys, kind):
    trainer = part(kind, "trainer").Trainer
    assert list(trainer.preset_help) == list(trainer.presets)
    with pytest.raises(SystemExit):
        gtp_main.main(["train", kind, "--help"])
    text = capsys.readouterr().out
    lines = text[text.index("presets (") :].splitlines()
    assert all(len(line) <= 100 for line in lines)
    for name, told in trainer.preset_help.items():
        assert told and f"{name} {told}" in " ".join(" ".join(lines).split())


@pytest.mark.parametrize("kind", TRAINED)
def test_every_number_has_a_range(kind):
    """The default and all presets lie in it; what lies outside is refused with the name of the parameter."""
    trainer = part(kind, "trainer").Trainer
    for name, preset in trainer.presets.items():
        assert configuration.make(trainer.Config, preset), name
    for field, form in configuration._fields(trainer.Config):
        if form.item not in (int, float) or field.metadata["choices"]:
            continue
        low, high = field.metadata["range"]
        for value in (low - 1, high + 1, 10**30, -(10**30), 1e300):
            value = form.item(value)
            with pytest.raises(ConfigError, match=f"^{field.name.replace('_', '-')} must be at (least|most)") as caught:
                configuration.make(trainer.Config, {field.name: [value] if form.many else value})
            assert len(str(caught.value)) < 200


def test_a_saved_configuration_is_checked_as_far_as_it_is_known():
    configuration.check_saved(Config, {"bits": 3, "gone_since": {"a": 1}})
    for values in ({"bits": "3"}, {"boards": [99]}, {"boards": 5}, {"flip": 2}):
        with pytest.raises(ConfigError):
            configuration.check_saved(Config, values)
