"""What the body of an organism's genome must be: the rules of its cell program, and its habits."""

from engine import limits
from players.genome import GenomeError
from players.organism.habits import ABSORBERS, CLONES, ZYGOTES, habits_of
from players.organism.program import from_text
from players.schema import Integer, List, Table, Text, check

_CYCLES = Integer(0, limits.ORGANISM_CYCLES)
BODY = Table(
    {
        "rules": List(Text(most=200), limits.ORGANISM_RULES, least=1),
        "initial_cycles": _CYCLES,
        "regular_cycles": _CYCLES,
    },
    optional={"zygote": Text(ZYGOTES), "clones": Text(CLONES), "absorbers": Text(ABSORBERS)},
)


def read_body(body):
    """The cell program in the body of a genome, and its Habits; GenomeError if there is none."""
    try:
        check(BODY, body)
        habits = {name: value for name, value in body.items() if name != "rules"}
        return from_text(body["rules"]), habits_of(**habits)
    except ValueError as error:  # SchemaError among them
        raise GenomeError(f"the genome is not a digital organism: {error}") from None
