"""Cell programs: text and flat form both ways, breeding that always gives valid programs, rules that are dead."""

import numpy as np
import pytest

from players.organism import breeding
from players.organism.analysis import dead_rules, playing, without_dead
from players.organism.program import DECIMALS, REGIONS, STAGES, flat, from_flat, from_text, is_valid, parse_rule, rule_text, to_text

SENTENCES = [
    "if mediator 3 > 0.31 then release mediator 1 by 0.5",
    "if cell is empty then become move",
    "if cell is move then become empty",
    "if cell is own stone then set size to -0.25",
    "if cell is opponent stone then release mediator 5 by -0.0001",
    "if size > 0.5 then move north by 1",
    "if size > -1 then move west by 4",
    "if mediator 1 > 0 then replicate east by 2",
    "if mediator 5 > 9.8765 then replicate south by 3",
    "if cell is empty then replicate",
    "if cell is move then die",
    "opening: if cell is empty then die",
    "centre: if mediator 2 > 0.5 then become move",
]


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_read_and_written(text):
    rule = parse_rule(text)
    assert is_valid(rule)
    assert rule_text(rule) == text
    assert parse_rule("  " + text.upper().replace(" ", "  ")) == rule


@pytest.mark.parametrize(
    "text",
    [
        "",
        "replicate",
        "if cell is empty",
        "if cell is black then die",
        "if mediator 6 > 0.1 then die",
        "if mediator 0 > 0.1 then die",
        "if size > 11 then die",
        "if size > nan then die",
        "if size > 0.1 then move north by 5",
        "if size > 0.1 then move up by 1",
        "if size > 0.1 then replicate north by 0",
        "if size < 0.1 then die",
        7,
    ],
)
def test_what_is_no_rule_is_refused_in_a_line(text):
    with pytest.raises(ValueError) as caught:
        from_text([text])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("lines", [[], None, {}, "if cell is empty then die"])
def test_what_is_no_list_of_rules_is_refused(lines):
    with pytest.raises(ValueError):
        from_text(lines)


def test_breeding_always_gives_valid_programs_that_survive_their_text():
    generator = np.random.default_rng(1)
    longest, most = 6, 12
    pool = [breeding.random_program(generator, longest) for _ in range(200)]
    lengths, actions = set(), set()
    for step in range(6000):
        i, j = generator.integers(0, len(pool), 2)
        children = breeding.crossover(generator, pool[i], pool[j], most)
        if step % 3 == 0:
            children = [breeding.mutate(generator, child, longest, most) for child in children]
        if step % 5 == 0:
            children = [breeding.jitter(generator, child, 0.1) for child in children]
        pool[i], pool[j] = children
        for child in children:
            assert 1 <= len(child) <= most
            assert all(is_valid(rule) for rule in child)
            lengths.add(len(child))
            actions |= {(rule.condition, rule.action) for rule in child}
        if step % 50 == 0:
            assert from_text(to_text(children[0])) == children[0] == from_flat(flat(children[0]))
    assert max(lengths) == most and len(actions) == 21


def test_crossover_exchanges_and_loses_nothing_but_to_the_bound():
    generator = np.random.default_rng(2)
    for _ in range(500):
        a, b = (breeding.random_program(generator, 5) for _ in range(2))
        c, d = breeding.crossover(generator, a, b, 10)
        assert len(a) + len(b) == len(c) + len(d)
        assert sorted(x for rule in a + b for x in rule) == sorted(x for rule in c + d for x in rule)


def test_jitter_moves_reals_only_and_by_as_much_as_it_should():
    generator = np.random.default_rng(3)
    program = from_text(["if mediator 2 > 0.5 then release mediator 3 by -0.5", "if cell is empty then replicate east by 2"])
    changed = [breeding.jitter(generator, program, 0.0075) for _ in range(2000)]
    assert {one[1] for one in changed} == {program[1]}
    assert {one[0]._replace(threshold=0.5, amount=-0.5) for one in changed} == {program[0]}
    for values, mean in (([one[0].threshold for one in changed], 0.5), ([one[0].amount for one in changed], -0.5)):
        assert np.mean(values) == pytest.approx(mean, abs=0.001) and np.std(values) == pytest.approx(0.0075, rel=0.1)
        assert all(round(value, DECIMALS) == value for value in values)


@pytest.mark.parametrize(
    "lines, dead",
    [
        (["if cell is empty then become own stone"], [0]),
        (["if cell is own stone then become move", "if cell is opponent stone then die"], [0, 1]),
        (["if cell is empty then become move", "if cell is move then become move"], [1]),
        (["if cell is move then replicate"], [0]),
        (["if cell is empty then release mediator 1 by 0.5"], [0]),
        (["if cell is empty then release mediator 1 by 0.5", "if mediator 1 > 0.1 then replicate"], []),
        (["if cell is empty then release mediator 1 by -0.5", "if mediator 1 > 0.1 then replicate"], [0, 1]),
        (["if mediator 1 > -0.1 then replicate"], []),
        (["if size > 0 then replicate"], [0]),
        (["if size > -0.1 then replicate"], []),
        (["if size > 0.2 then replicate", "if cell is empty then set size to 0.3"], []),
        # one dies with the other
        (["if size > 0.2 then release mediator 2 by 1", "if mediator 2 > 0.1 then die"], [0, 1]),
        # a size that is set again before anybody sees it
        (["if cell is empty then set size to 0.3", "if mediator 1 > -0.1 then set size to 0.4"], [0]),
        (["if cell is empty then set size to 0.3", "if cell is own stone then set size to 0.4"], []),
        (["if cell is empty then set size to 0.3", "if size > 0.2 then die", "if cell is empty then set size to 0.4"], []),
        (["if cell is empty then set size to 0.3", "if cell is empty then replicate", "if cell is empty then set size to 0.4"], []),
        (["if cell is empty then set size to 0.3", "if cell is empty then die", "if cell is empty then set size to 0.4"], [0]),
        (["if cell is empty then set size to 0.3", "if size > -9 then become move", "if cell is empty then set size to 0.4"], []),
        (
            [
                "if cell is empty then set size to 0.3",
                "if cell is own stone then replicate",
                "if mediator 1 > -1 then become move",
                "if cell is empty then set size to 0.4",
            ],
            [],
        ),
        (["if cell is empty then set size to 0.3", "centre: if cell is empty then set size to 0.4"], []),
        (["centre: if cell is empty then set size to 0.3", "if cell is empty then set size to 0.4"], [0]),
        (
            [
                "if cell is own stone then release mediator 1 by 1",
                "if mediator 1 > 0.5 then set size to 0.1",
                "if mediator 1 > 0.4 then set size to 0.2",
                "if mediator 1 > 0.4 then set size to 0.3",
                "if mediator 1 > 0.7 then set size to 0.4",
            ],
            [1, 2],
        ),
        (
            [
                "if cell is own stone then release mediator 1 by 1",
                "if mediator 1 > 0.5 then set size to 0.1",
                "if cell is own stone then release mediator 1 by -0.5",
                "if mediator 1 > 0.4 then set size to 0.2",
            ],
            [],
        ),
    ],
)
def test_dead_rules(lines, dead):
    program = from_text(lines)
    assert sorted(dead_rules(program)) == dead
    assert len(without_dead(program)) == len(program) - len(dead)


def test_programs_that_never_move_need_no_rules_at_all():
    assert playing(from_text(["if cell is empty then replicate"])) == ()
    assert playing(from_text(["if cell is empty then become own stone", "if cell is empty then replicate"])) == ()
    program = from_text(["if cell is empty then replicate", "if cell is empty then become move", "if size > 1 then die"])
    assert playing(program) == program[:2]


@pytest.mark.parametrize("parts", [STAGES, REGIONS])
def test_programs_for_parts_breed_among_themselves(parts):
    generator = np.random.default_rng(4)
    programs = [breeding.random_program(generator, 8, parts) for _ in range(30)]
    for _ in range(300):
        a, b = (programs[int(i)] for i in generator.integers(0, 30, 2))
        child, _ = breeding.crossover(generator, a, b, 20)
        child = breeding.mutate(generator, child, 5, 20)
        assert all(is_valid(rule) for rule in child) and {rule.part for rule in child} <= set(parts)
        assert from_flat(flat(child)) == child and from_text(to_text(child)) == child
        programs[int(generator.integers(30))] = child
    assert {rule.part for program in programs for rule in program} == set(parts)
