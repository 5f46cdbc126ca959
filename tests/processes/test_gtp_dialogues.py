"""What real clients send, and exactly what they get back: dialogues with the real process over pipes.

A dialogue is a table ``command | answer``, sent in one burst. ``=`` alone stands for the empty answer ``= ``, ``⏎`` for
a line break inside an answer, and nothing for no answer at all.
"""

import pytest

from tests.processes.gtp_client import STUB, Client

RESET = """\
kgs-rules chinese
boardsize 9
clear_board
komi 6.5
time_settings 0 0 0
set_random_seed 7
stub-powers policy evaluation
"""

DIALOGUES = {
    # The frame
    "an id is echoed, glued to the sign": """
        7 protocol_version                    | =7 2
        0 name                                | =0 stub
        2147483647 name                       | =2147483647 stub
        2147483648 name                       | ? unknown command
        12 clear_board                        | =12
        3 play b z99                          | ?3 syntax error
        5                                     | ?5 syntax error
    """,
    "unknown commands, in whatever case": """
        foo                                   | ? unknown command
        NAME                                  | ? unknown command
        -1 name                               | ? unknown command
        \udcff\udcfe\udc80                    | ? unknown command
    """,
    "blank lines and comments are no commands": """
                                              |
        # hello                               |
        name # what is it                     | = stub
    """,
    "CRLF, tabs and control characters": """
        na\x00me\r                            | = stub
        \tknown_command\t\tplay\r             | = true
        \x01\x02\r                            |
        pl\x7fay b d4\x0b                     | =
    """,
    "surplus arguments are ignored": """
        name x y                              | = stub
        clear_board now                       | =
        play b d4 e5                          | =
        undo 3                                | =
    """,
    # The handshake
    "known_command": """
        known_command genmove                 | = true
        known_command nonsense                | = false
        known_command Genmove                 | = false
        known_command stub-next               | = true
        known_command                         | ? syntax error
    """,
    "interrupts are honoured": """
        gogui-interrupt                       | =
        # interrupt                           |
        name                                  | = stub
    """,
    # Set-up
    "boardsize": """
        boardsize 5                           | =
        boardsize 13 13                       | =
        boardsize 9 7                         | ? unacceptable size
        boardsize 1                           | ? unacceptable size
        boardsize 26                          | ? unacceptable size
        boardsize -5                          | ? unacceptable size
        boardsize 20                          | ? unacceptable size
        boardsize x                           | ? syntax error
        boardsize                             | ? syntax error
        boardsize 99999999999999999999        | ? syntax error
        boardsize ²                           | ? syntax error
        boardsize 13 ²                        | =
        boardsize 13 +013                     | =
        boardsize 9 -9                        | ? unacceptable size
        boardsize 9 999999999999999999999999999999999999999999999999999999999999 | ? unacceptable size
        boardsize ٩                           | ? syntax error
        play b n13                            | =
    """,
    "boardsize and clear_board keep komi and rules": """
        komi 0.5                              | =
        kgs-rules japanese                    | =
        boardsize 7                           | =
        clear_board                           | =
        get_komi                              | = 0.5
        showboard | = ⏎    A B C D E F G ⏎  7 . . . . . . . 7 ⏎  6 . . . . . . . 6 ⏎  5 . . + . + . . 5 \
⏎  4 . . . . . . . 4 ⏎  3 . . + . + . . 3 ⏎  2 . . . . . . . 2 ⏎  1 . . . . . . . 1 ⏎    A B C D E F G \
⏎Black (X) has captured 0, White (O) 0. ⏎Komi 0.5, japanese rules, black to play.
    """,
    "boardsize and clear_board keep the time": """
        time_settings 300 0 0                 | =
        boardsize 9                           | =
        clear_board                           | =
        stub-next budget                      | =
        genmove b                             | ? internal error: Limited
    """,
    "the order of CGOS": """
        boardsize 9                           | =
        komi 7.0                              | =
        time_settings 300 0 0                 | =
        cgos-opponent_name gnugo              | =
        cgos-opponent_rating 1500             | =
        clear_board                           | =
        get_komi                              | = 7
        play b e5                             | =
        time_left w 299 0                     | =
        genmove w                             | = A9
        cgos-gameover B+Resign                | =
    """,
    "the order of KGS": """
        kgs-rules chinese 9 7.5               | =
        boardsize 9                           | =
        clear_board                           | =
        komi 7.5                              | =
        kgs-time_settings byoyomi 300 30 5    | =
        get_komi                              | = 7.5
        genmove b                             | = A9
        time_left black 30 5                  | =
        kgs-game_over                         | =
        play w a9                             | ? illegal move
    """,
    "komi": """
        komi 5                                | =
        get_komi                              | = 5
        komi -3.5                             | =
        komi                                  | ? syntax error
        komi x                                | ? syntax error
        komi nan                              | ? syntax error
        komi inf                              | ? syntax error
        komi 1e999                            | ? syntax error
        komi 1e20                             | ? unacceptable komi
        komi -10001                           | ? unacceptable komi
        komi ²                                | ? syntax error
        get_komi                              | = -3.5
    """,
    # Moves
    "colours and vertices in any case": """
        play B E5                             | =
        play w d4                             | =
        play black a1                         | =
        play WHITE j9                         | =
        play W PASS                           | =
    """,
    "moves that cannot be": """
        play b d4                             | =
        play w d4                             | ? illegal move
        play w i5                             | ? syntax error
        play w k1                             | ? syntax error
        play w a0                             | ? syntax error
        play x e4                             | ? syntax error
        play w                                | ? syntax error
        play                                  | ? syntax error
    """,
    "suicide": """
        gogui-setup b a3 b b2 b b1 w a2       | =
        play w a1                             | ? illegal move
        kata-set-rules tromp-taylor           | =
        play w a1                             | =
    """,
    "ko": """
        gogui-play_sequence b b1 b a2 b b3 w c1 w d2 w c3 b c2 w b2 | =
        play b c2                             | ? illegal move
        play b j9                             | =
        play w j8                             | =
        play b c2                             | =
    """,
    "two moves of one colour in a row": """
        play b d4                             | =
        play b e4                             | =
        genmove b                             | = A9
        genmove b                             | = B9
    """,
    "genmove's move is made, and can be undone": """
        genmove b                             | = A9
        play w a9                             | ? illegal move
        undo                                  | =
        play w a9                             | =
        genmove                               | ? syntax error
        genmove x                             | ? syntax error
    """,
    "pass and resign are lower case, and resign is no move": """
        stub-next pass                        | =
        genmove b                             | = pass
        stub-next resign                      | =
        genmove w                             | = resign
        undo                                  | =
        undo                                  | ? cannot undo
    """,
    "reg_genmove plays nothing": """
        reg_genmove b                         | = A9
        reg_genmove b                         | = A9
        undo                                  | ? cannot undo
    """,
    "undo": """
        play b a1                             | =
        play w b1                             | =
        play b pass                           | =
        gg-undo 2                             | =
        play w b1                             | =
        gg-undo 3                             | ? cannot undo
        gg-undo -1                            | ? cannot undo
        gg-undo x                             | ? syntax error
        gg-undo 0                             | =
        gg-undo                               | =
        undo                                  | =
        undo                                  | ? cannot undo
    """,
    "undo never removes handicap stones": """
        fixed_handicap 2                      | = C3 G7
        undo                                  | ? cannot undo
        play w e5                             | =
        gg-undo 2                             | ? cannot undo
        undo                                  | =
        undo                                  | ? cannot undo
    """,
    "undo gives captured stones back": """
        play b a2                             | =
        play w a1                             | =
        play b b1                             | =
        undo                                  | =
        play w a1                             | ? illegal move
    """,
    # Handicap
    "fixed_handicap": """
        fixed_handicap 1                      | ? invalid number of stones
        fixed_handicap 10                     | ? invalid number of stones
        fixed_handicap x                      | ? syntax error
        fixed_handicap                        | ? syntax error
        fixed_handicap 9                      | = C3 G7 C7 G3 C5 G5 E3 E7 E5
        fixed_handicap 2                      | ? board not empty
        boardsize 13                          | =
        fixed_handicap 5                      | = D4 K10 D10 K4 G7
        boardsize 8                           | =
        fixed_handicap 5                      | ? invalid number of stones
        fixed_handicap 4                      | = C3 F6 C6 F3
        boardsize 7                           | =
        fixed_handicap 5                      | ? invalid number of stones
        boardsize 6                           | =
        fixed_handicap 2                      | ? invalid number of stones
    """,
    "place_free_handicap": """
        place_free_handicap 1                 | ? invalid number of stones
        place_free_handicap 81                | ? invalid number of stones
        place_free_handicap 4                 | = C3 G7 C7 G3
        place_free_handicap 4                 | ? board not empty
        boardsize 5                           | =
        place_free_handicap 5                 | = C3 A5 E5 A1 E1
        undo                                  | ? cannot undo
        genmove w                             | = B5
    """,
    "set_free_handicap": """
        set_free_handicap d4 d4               | ? bad vertex list
        set_free_handicap d4                  | ? bad vertex list
        set_free_handicap                     | ? bad vertex list
        set_free_handicap d4 pass             | ? bad vertex list
        set_free_handicap d4 z1               | ? bad vertex list
        set_free_handicap d4 E5 a1            | =
        set_free_handicap d4 E5 a1            | ? board not empty
        play w d4                             | ? illegal move
        undo                                  | ? cannot undo
    """,
    # GoGui's set-up and sequences
    "gogui-play_sequence is all or nothing": """
        gogui-play_sequence B D4 W E5         | =
        gogui-play_sequence b c3 w d4 b c4    | ? illegal move
        gogui-play_sequence b                 | ? syntax error
        gogui-play_sequence b a1 w            | ? syntax error
        gogui-play_sequence                   | =
        play w c3                             | =
        gg-undo 3                             | =
        undo                                  | ? cannot undo
    """,
    "gogui-setup": """
        boardsize 3                           | =
        gogui-setup B A1 W B2                 | =
        gogui-setup_player w                  | =
        evogo-legal                           | = A3 B3 C3 A2 C2 B1 C1
        undo                                  | ? cannot undo
        gogui-setup B C3                      | ? board not empty
        play w c3                             | =
        gogui-setup_player b                  | ? board not empty
    """,
    "gogui-setup of what cannot stand": """
        gogui-setup b a1 b a1                 | ? bad vertex list
        gogui-setup b a1 w a2 w b1            | ? bad vertex list
        gogui-setup b pass                    | ? bad vertex list
        gogui-setup b                         | ? syntax error
        play w a1                             | =
    """,
    "set_position": """
        play b a1                             | =
        set_position                          | =
        play w a1                             | =
        set_position b d4 w e5                | =
        play b e5                             | ? illegal move
        undo                                  | ? cannot undo
        set_position b d4 w d4                | ? bad vertex list
        play b d4                             | ? illegal move
    """,
    # Results
    "final_score": """
        final_score                           | = W+6.5
        komi 0                                | =
        final_score                           | = 0
        play b e5                             | =
        final_score                           | = B+81
        fixed_handicap 2                      | ? board not empty
    """,
    "final_status_list": """
        gogui-setup b a1 b a2 w e5            | =
        final_status_list dead                | =
        final_status_list alive               | = E5 ⏎A2 A1
        final_status_list seki                | =
        final_status_list                     | ? syntax error
        final_status_list white               | ? syntax error
    """,
    "dead stones come off, except where all stones are alive": """
        boardsize 5                           | =
        komi 0                                | =
        gogui-setup b b1 b b2 b b3 b b4 b b5 b d1 b d2 b d3 b d4 b d5 w a1 | =
        stub-powers                           | =
        final_status_list dead                | = A1
        final_score                           | = B+25
        kgs-rules japanese                    | =
        final_score                           | = B+16
        kgs-rules cgos                        | =
        final_status_list dead                | =
        final_score                           | = B+19
    """,
    # Time
    "time settings of all kinds": """
        time_settings 300 0 0                 | =
        time_settings 300 60 5                | =
        time_settings 0 1 0                   | =
        kgs-time_settings none                | =
        kgs-time_settings absolute 300        | =
        kgs-time_settings byoyomi 300 30 5    | =
        kgs-time_settings canadian 300 300 25 | =
        kata-list_time_settings               | = none absolute byoyomi canadian fischer
        kata-time_settings fischer 60 5       | =
        kata-time_settings none               | =
    """,
    "times that cannot be": """
        time_settings                         | ? syntax error
        time_settings 1 2                     | ? syntax error
        time_settings -1 0 0                  | ? syntax error
        time_settings a b c                   | ? syntax error
        time_settings 1e999 0 0               | ? syntax error
        kgs-time_settings                     | ? syntax error
        kgs-time_settings fischer 1 1         | ? syntax error
        kgs-time_settings byoyomi 3           | ? syntax error
        kata-time_settings hourglass 5        | ? syntax error
        time_left x 1 1                       | ? syntax error
        time_left b                           | ? syntax error
        time_left b 0 0                       | =
        time_left black 12.5 0                | =
        time_left w 30 5                      | =
    """,
    # Servers and toolkits
    "rules by name": """
        kgs-rules New_Zealand                 | =
        kgs-rules AGA                         | =
        kgs-rules x | ? unknown rules 'x': choose from chinese, cgos, tromp-taylor, aga, new-zealand, japanese
        kgs-rules                             | ? syntax error
        kata-set-rules korean                 | =
        kata-get-rules | = {"ko": "SIMPLE", "scoring": "TERRITORY", "suicide": false, "tax": "SEKI", \
"whiteHandicapBonus": "0", "hasButton": false, "friendlyPassOk": true}
    """,
    "rules as JSON": """
        kata-set-rules {"ko":"SITUATIONAL", "suicide":true, "whiteHandicapBonus":"0"} | =
        kata-get-rules | = {"ko": "SITUATIONAL", "scoring": "AREA", "suicide": true, "tax": "NONE", \
"whiteHandicapBonus": "0", "hasButton": false, "friendlyPassOk": true}
        kata-set-rules {"ko":"SPIGHT"}        | ? these rules are not supported
        kata-set-rules {"hasButton":true}     | ? these rules are not supported
        kata-set-rules {"ko":["SIMPLE"]}      | ? these rules are not supported
        kata-set-rules {"x":1}                | ? syntax error
        kata-set-rules {                      | ? syntax error
        kata-set-rules                        | ? syntax error
    """,
    "whoever sends the commands of CGOS plays by its rules": """
        kgs-rules japanese                    | =
        cgos-opponent_name gnugo              | =
        boardsize 9                           | =
        clear_board                           | =
        kata-get-rules | = {"ko": "POSITIONAL", "scoring": "AREA", "suicide": false, "tax": "NONE", \
"whiteHandicapBonus": "0", "hasButton": false, "friendlyPassOk": false}
    """,
    "the clean-up of KGS": """
        kgs-genmove_cleanup b                 | = A9
        kgs-genmove_cleanup                   | ? syntax error
    """,
    "commands that clients must not find": """
        kgs-chat hello                        | ? unknown command
        analyze                               | ? unknown command
        lz-setoption x                        | ? unknown command
        gogui-rules_board                     | ? unknown command
        sabaki-genmovelog                     | ? unknown command
    """,
    "gomill": """
        gomill-describe_engine                | = stub 1.2 ⏎player stub
        gomill-explain_last_move              | = seed 7
    """,
    "random seeds": """
        set_random_seed 42                    | =
        get_random_seed                       | = 42
        gomill-explain_last_move              | = seed 42
        set_random_seed x                     | ? syntax error
        set_random_seed                       | ? syntax error
        get_random_seed                       | = 42
    """,
    # Trouble
    "a player that fails": """
        play b a1                             | =
        stub-next crash                       | =
        genmove w                             | ? internal error: RuntimeError
        stub-next exit                        | =
        genmove w                             | ? internal error: SystemExit
        stub-next crash                       | =
        lz-genmove_analyze w                  | ? internal error: RuntimeError
        undo                                  | =
        undo                                  | ? cannot undo
    """,
    "a player that plays illegally passes instead": """
        stub-next illegal                     | =
        genmove w                             | = pass
        play b a9                             | =
        stub-next a9                          | =
        genmove w                             | = pass
    """,
    "a library that prints": """
        stub-next print                       | =
        genmove b                             | = A9
        name                                  | = stub
    """,
    "a player cannot touch the game": """
        genmove b                             | = A9
        get_komi                              | = 6.5
    """,
    "a player's own picture that fails": """
        stub-next                             | ? internal error: IndexError
        name                                  | = stub
    """,
    # Files
    "files that cannot be loaded": """
        play b a1                             | =
        loadsgf                               | ? syntax error
        loadsgf /nowhere/x.sgf                | ? cannot load file
        loadsgf /nowhere/x.sgf 0              | ? syntax error
        loadsgf /nowhere/x.sgf x              | ? syntax error
        loadsgf /dev/null                     | ? cannot load file
        loadsgf /                             | ? cannot load file
        play w a1                             | ? illegal move
    """,
    # Pictures
    "pictures": """
        boardsize 3                           | =
        play b b2                             | =
        play w b1                             | =
        evogo-liberties                       | = "" "" "" ⏎"" 3 "" ⏎"" 2 ""
        evogo-ownership                       | = 0.000 0.000 0.000 ⏎0.000 1.000 0.000 ⏎0.000 -1.000 0.000
        evogo-legal                           | = A3 B3 C3 A2 C2 A1 C1
        evogo-legal w                         | = A3 B3 C3 A2 C2 A1 C1
        evogo-policy                          | = \
#f04020 #d24537 #b5494e ⏎#974e65 "" #79527b ⏎#5b5792 "" #3e5ba9
        evogo-policy_numbers b                | = A3 0.25 B3 0.21 C3 0.18 A2 0.14 C2 0.11 A1 0.07 C1 0.04
        evogo-evaluation                      | = W+6.5, Black wins 25 of 100 games
        evogo-last_search                     | ? no move has been asked for yet
        stub-powers                           | =
        evogo-policy                          | ? this player has no policy
        evogo-evaluation                      | ? this player has no evaluation
    """,
    "the menu of pictures": """
        gogui-analyze_commands | = cboard/Policy Heat Map/evogo-policy %m \
⏎pspairs/Policy Numbers/evogo-policy_numbers %m ⏎string/Evaluation/evogo-evaluation ⏎dboard/Ownership/evogo-ownership \
⏎plist/Legal Moves/evogo-legal %m ⏎sboard/Liberties/evogo-liberties ⏎gfx/Last Search/evogo-last_search \
⏎hstring/Explain Last Move/gomill-explain_last_move ⏎none/Next Move/stub-next %s ⏎none/Powers/stub-powers %s
        stub-powers                           | =
        gogui-analyze_commands | = dboard/Ownership/evogo-ownership \
⏎plist/Legal Moves/evogo-legal %m ⏎sboard/Liberties/evogo-liberties ⏎gfx/Last Search/evogo-last_search \
⏎hstring/Explain Last Move/gomill-explain_last_move ⏎none/Next Move/stub-next %s ⏎none/Powers/stub-powers %s
    """,
    # Analysis
    "analysis": """
        boardsize 2                           | =
        lz-analyze b 10 maxmoves 1 | = \
⏎info move A2 visits 400 winrate 2500 prior 4000 lcb 2500 order 0 pv A2
        lz-analyze interval 10 maxmoves 2 avoid b A2,B2 1 | = \
⏎info move A1 visits 667 winrate 2500 prior 6667 lcb 2500 order 0 pv A1 \
info move B1 visits 333 winrate 2500 prior 3333 lcb 2500 order 1 pv B1
        kata-analyze w 10 maxmoves 1 ownership true rootInfo true | = \
⏎info move A2 visits 400 utility 0.5 winrate 0.75 scoreMean 7.5 scoreLead 7.5 prior 0.4 \
order 0 pv A2 rootInfo visits 1000 utility 0.5 winrate 0.75 scoreMean 6.5 scoreLead 6.5 \
ownership 0.000 0.000 0.000 0.000
        9 lz-analyze allow b B1 3 | =9 \
⏎info move B1 visits 1000 winrate 2500 prior 10000 lcb 2500 order 0 pv B1
        lz-analyze avoid b Z9 3               | ? syntax error
        lz-analyze interval x                 | ? syntax error
        stub-powers                           | =
        lz-analyze                            | ? this player has neither a policy nor an evaluation
    """,
    "moves with analysis": """
        boardsize 2                           | =
        3 lz-genmove_analyze b 10 maxmoves 1 | =3 \
⏎info move A2 visits 400 winrate 2500 prior 4000 lcb 2500 order 0 pv A2 ⏎play A2
        undo                                  | =
        stub-next b1                          | =
        genmove_analyze b maxmoves 2 | = \
⏎info move B1 visits 100 winrate 2500 prior 1000 lcb 2500 order 0 pv B1 \
info move A2 visits 400 winrate 2500 prior 4000 lcb 2500 order 1 pv A2 ⏎play B1
        stub-next pass                        | =
        kata-genmove_analyze w maxmoves 1 | = \
⏎info move pass visits 1 utility 0.5 winrate 0.75 scoreMean 5.5 scoreLead 5.5 prior 0 \
order 0 pv pass ⏎play pass
        stub-next resign                      | =
        stub-powers                           | =
        kata-genmove_analyze b                | = ⏎play resign
        undo                                  | =
        undo                                  | =
        undo                                  | ? cannot undo
    """,
    "moves for CGOS": """
        boardsize 2                           | =
        gogui-play_sequence b a1 w b2         | =
        cgos-genmove_analyze b | = ⏎{"winrate":0.25,"score":-6.5,"visits":1000,"moves":\
[{"move":"A2","visits":667,"winrate":0.25,"score":-5.5,"prior":0.666667,"pv":""},\
{"move":"B1","visits":333,"winrate":0.25,"score":-5.5,"prior":0.333333,"pv":""}],\
"ownership":"fA+f","comment":"seed 7"} ⏎play A2
        undo                                  | =
        stub-powers                           | =
        cgos-genmove_analyze b | = ⏎{"visits":1,"moves":\
[{"move":"A2","visits":1,"prior":0.0,"pv":""}],"comment":"seed 7"} ⏎play A2
    """,
}


@pytest.fixture(scope="module")
def stub():
    client = Client(*STUB)
    yield client
    client.kill()


def read_table(table):
    """What to send, and what must come back."""
    sent, expected = [], []
    for row in table.strip("\n").split("\n"):
        command, bar, answer = row.partition("|")
        if not bar:
            continue
        sent.append(command.strip(" "))
        answer = answer.strip().replace(" ⏎", "\n")
        if answer and answer[0] in "=?":
            sign, _, text = answer.partition("\n")
            first = sign if " " in sign else sign + " "
            expected.append(first + ("\n" + text if text else "") + "\n\n")
    return "\n".join(sent) + "\n", "".join(expected)


@pytest.mark.parametrize("name", DIALOGUES)
def test_dialogue(stub, name):
    sent, expected = read_table(DIALOGUES[name])
    stub.dialogue(RESET.encode())
    assert stub.dialogue(sent.encode("utf-8", "surrogateescape")) == expected
