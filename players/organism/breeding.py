"""Strongly typed genetic programming over cell programs (Sections IV.A and V): every result is a valid program.

A node of a program is a parameter, a condition, an action, a rule, or a run of consecutive rules (the join of rules is
associative: any such run is a subtree of some tree that means the same). Crossover exchanges two nodes of one type,
mutation replaces a node by a fresh one of its type. Only runs of rules change the length of a program, and a run that
would make it longer than ``most`` is cut to fit: that is the bound on bloat.

All randomness comes from the numpy Generator that is given.
"""

from players.organism.program import ACTIONS, CONDITIONS, DECIMALS, LARGEST_REAL, RANGES, REAL, REGIONS, STAGES, Rule

# Node types beside the types of parameters.
RULES, RULE_NODE, CONDITION, ACTION, PART = "rules", "rule", "condition", "action", "part"
WHOLE = (0,)  # the parts of programs that are for the whole life
_CONDITION_FIELDS = ("condition", "subject", "threshold")
_ACTION_FIELDS = ("action", "object", "distance", "amount")
_WITH_THRESHOLD = [("threshold", REAL) in parameters for parameters in CONDITIONS]
_WITH_AMOUNT = [("amount", REAL) in parameters for parameters in ACTIONS]
_new = tuple.__new__  # of a NamedTuple: without the names of its fields, which cost time
_NONE = {"subject": 0, "threshold": 0.0, "object": 0, "distance": 0, "amount": 0.0}


# Fresh ones


def random_value(generator, kind):
    """A fresh parameter of a type; reals from [-1, 1] (paper)."""
    if kind == REAL:
        return _bounded(float(generator.uniform(-1.0, 1.0)))
    return int(generator.integers(*RANGES[kind]))


def _random_part(generator, name, fields, signatures):
    """The fields of a fresh condition or action."""
    number = int(generator.integers(len(signatures)))
    part = {field: _NONE.get(field) for field in fields}
    part[name] = number
    for field, kind in signatures[number]:
        part[field] = random_value(generator, kind)
    return part


def random_condition(generator):
    return _random_part(generator, "condition", _CONDITION_FIELDS, CONDITIONS)


def random_action(generator):
    return _random_part(generator, "action", _ACTION_FIELDS, ACTIONS)


def random_rule(generator, parts=WHOLE):
    rule = Rule(**random_condition(generator), **random_action(generator))
    return rule if parts == WHOLE else rule._replace(part=int(generator.choice(parts)))


def random_program(generator, longest, parts=WHOLE):
    """A program of 1 … ``longest`` rules for some of the parts."""
    return tuple(random_rule(generator, parts) for _ in range(int(generator.integers(1, longest + 1))))


# Nodes


def _nodes_of(condition, action):
    """The nodes of a rule with such a condition and action, as (type, field); field is None but for parameters."""
    whole = ((RULES, None), (RULE_NODE, None), (CONDITION, None), (ACTION, None))
    return whole + tuple((kind, field) for field, kind in CONDITIONS[condition] + ACTIONS[action])


_NODES = [[_nodes_of(condition, action) for action in range(len(ACTIONS))] for condition in range(len(CONDITIONS))]
_PARAMETERS = {  # by type of parameter, condition and action: the fields of that type
    of: [[[field for kind, field in found if kind == of] for found in row] for row in _NODES] for of in (*RANGES, REAL)
} | {PART: [[["part"]] * len(ACTIONS)] * len(CONDITIONS)}


def count_nodes(program):
    """How many nodes it has."""
    return sum(len(_NODES[rule.condition][rule.action]) + (rule.part > 0) for rule in program)


def _random_node(generator, program):
    """One of all nodes, as (type, number of its rule, field)."""
    left = int(generator.integers(count_nodes(program)))
    for i, rule in enumerate(program):
        found = _NODES[rule.condition][rule.action]
        if left < len(found):
            kind, field = found[left]
            return kind, i, field
        left -= len(found)
        if rule.part:  # the last node of its rule
            if left == 0:
                return PART, i, "part"
            left -= 1


def _mates(program, kind):
    """All nodes of a type, as (number of the rule, field)."""
    if kind not in _PARAMETERS:
        return [(i, None) for i in range(len(program))]
    fields = _PARAMETERS[kind]
    return [
        (i, field)
        for i, rule in enumerate(program)
        if kind != PART or rule.part
        for field in fields[rule.condition][rule.action]
    ]


def _parts_of(rule):
    """The parts that a rule like this may be for."""
    return next((parts for parts in (STAGES, REGIONS) if rule.part in parts), WHOLE)


def _run(generator, program):
    """A run of at least one rule, as (first, last + 1)."""
    a, b = sorted(int(x) for x in generator.integers(0, len(program), 2))
    return a, b + 1


def _replaced(program, i, fields):
    return program[:i] + (program[i]._replace(**fields),) + program[i + 1 :]


def _spliced(program, first, last, rules, most):
    """The program with other rules in place of its run, as many of them as there is room for."""
    room = most - (len(program) - (last - first))
    return program[:first] + rules[:room] + program[last:]


# Operators


def crossover(generator, a, b, most):
    """Two children, from ``a`` and ``b`` with two nodes of one type exchanged; ``most`` rules at the most."""
    kind, i, field = _random_node(generator, a)
    mates = _mates(b, kind)
    if kind == RULES or not mates:
        (i, j), (k, l) = _run(generator, a), _run(generator, b)
        return _spliced(a, i, j, b[k:l], most), _spliced(b, k, l, a[i:j], most)
    k, other = mates[int(generator.integers(len(mates)))]
    if kind == RULE_NODE:
        return a[:i] + (b[k],) + a[i + 1 :], b[:k] + (a[i],) + b[k + 1 :]
    if kind in (CONDITION, ACTION):
        fields = _CONDITION_FIELDS if kind == CONDITION else _ACTION_FIELDS
        mine, its = ({name: getattr(rule, name) for name in fields} for rule in (a[i], b[k]))
        return _replaced(a, i, its), _replaced(b, k, mine)
    return _replaced(a, i, {field: getattr(b[k], other)}), _replaced(b, k, {other: getattr(a[i], field)})


def mutate(generator, program, longest, most):
    """The program with one node replaced by a fresh one (a run of rules by 1 … ``longest`` fresh rules)."""
    kind, i, field = _random_node(generator, program)
    if kind == RULES:
        first, last = _run(generator, program)
        return _spliced(program, first, last, random_program(generator, longest, _parts_of(program[i])), most)
    if kind == RULE_NODE:
        fresh = random_rule(generator, _parts_of(program[i]))._asdict()
    elif kind == PART:
        fresh = {field: int(generator.choice(_parts_of(program[i])))}
    elif kind == CONDITION:
        fresh = random_condition(generator)
    elif kind == ACTION:
        fresh = random_action(generator)
    else:
        fresh = {field: random_value(generator, kind)}
    return _replaced(program, i, fresh)


def jitter(generator, program, spread):
    """The program with every real constant moved by N(0, ``spread``)."""
    steps = generator.normal(0.0, spread, (len(program), 2)).tolist()
    changed = []
    for rule, (first, second) in zip(program, steps):
        condition, subject, threshold, action, object_, distance, amount, part = rule
        if _WITH_THRESHOLD[condition]:
            threshold = _bounded(threshold + first)
        if _WITH_AMOUNT[action]:
            amount = _bounded(amount + second)
        changed.append(_new(Rule, (condition, subject, threshold, action, object_, distance, amount, part)))
    return tuple(changed)


def _bounded(real):
    if real > LARGEST_REAL:  # plain comparisons, because min and max take half of a generation's time
        real = LARGEST_REAL
    elif real < -LARGEST_REAL:
        real = -LARGEST_REAL
    return round(real, DECIMALS) + 0.0  # no -0.0
