"""Players that a configuration names, such as the one that a run begins with."""

from players.training.config import ConfigError, require


def named_player(option, name, kind):
    """The player that an option names; ConfigError if there is none, or it is not of the class that it must be."""
    from players.registry import PlayerError, load_player  # which knows all kinds, those with trainers too

    try:
        player = load_player(name)
    except PlayerError as error:
        raise ConfigError(f"{option}: {error}") from None
    require(isinstance(player, kind), f"{option}: {name[:40]!r} is no {kind.name}")
    return player
