"""Which GTP commands there are, and which module answers each: names only, so that it costs nothing to import.

The command ``gogui-play_sequence`` is the function ``gogui_play_sequence(session, arguments)`` of its module; it
returns the text of the answer (or None), and raises GtpError when it cannot do what is asked.
"""

import importlib

HANDSHAKE = ("protocol_version", "name", "version", "known_command", "list_commands", "quit", "help", "gogui-interrupt")

TOPICS = {
    "engine.gtp.commands": """
        boardsize clear_board komi get_komi play genmove reg_genmove undo gg-undo showboard
        fixed_handicap place_free_handicap set_free_handicap set_position loadsgf printsgf
        final_score final_status_list set_random_seed get_random_seed level cputime
    """,
    "engine.gtp.commands_time": """
        time_settings time_left kgs-time_settings kata-list_time_settings kata-time_settings
    """,
    "engine.gtp.commands_servers": """
        kgs-rules kgs-genmove_cleanup kgs-game_over kata-set-rules kata-get-rules
        cgos-opponent_name cgos-opponent_rating cgos-gameover
        gomill-describe_engine gomill-explain_last_move gomill-cpu_time
    """,
    "engine.gtp.commands_gogui": """
        gogui-setup gogui-setup_player gogui-play_sequence gogui-analyze_commands
        evogo-policy evogo-policy_numbers evogo-ownership evogo-evaluation evogo-legal evogo-liberties evogo-last_search
    """,
    "engine.gtp.analyze": """
        lz-analyze kata-analyze genmove_analyze lz-genmove_analyze kata-genmove_analyze cgos-genmove_analyze
    """,
}
MODULE_OF = {name: module for module, names in TOPICS.items() for name in names.split()}
NAMES = (*HANDSHAKE, *MODULE_OF)


def function_of(name):
    """The function behind a command of ``TOPICS``; imports its module at the first call."""
    identifier = name.replace("-", "_")
    return getattr(importlib.import_module(MODULE_OF[name]), identifier)
