"""Small changes to good files, all drawn from one generator: of bytes, and of the data in JSON."""

import copy

ODD = [None, True, False, 0, -1, 1, 2, 26, 2**31, 2**63, -(10**18), 10**19, 0.5, -0.5, 1e15, -1e300, 1e308, 5e-324]
ODD += ["", "x", "²", "\x1b[2J", "é" * 30, "9" * 400, "a\nb", "\u202e", "none", "sane", "wally"]
ODD += [[], {}, [[]], [[[[[0]]]]], {"a": 1}, [0] * 1000, [None], ["x"], [1e300, -1], {"generation": 1}, [[0, 7, 1.0]]]
MARKS = [b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\0", b"\xff", b"\x1b[A", b"\n", b"\r", b"1e999", b"-", b"9" * 50]
MARKS += [b"(;", b")", b";B[]", b"AB[aa:ss]", b"SZ[25]", b"SZ[2]", b"tt", b"C[", b"\\]", b"KM[-9999]", b"HA[9]", b"PL[W]"]


def bytes_of(random, content):
    """The bytes with a few places changed, cut out, doubled or filled with something else."""
    content = bytearray(content)
    for _ in range(random.choice([1, 1, 1, 2, 5, 20])):
        where = random.randrange(len(content) + 1)
        length = random.choice([1, 1, 2, 8, 100, 1000])
        change = random.randrange(7)
        if change == 0 and where < len(content):
            content[where] ^= 1 << random.randrange(8)
        elif change == 1 and where < len(content):
            content[where] = random.randrange(256)
        elif change == 2:
            del content[where : where + length]
        elif change == 3:
            content[where:where] = random.choice(MARKS)
        elif change == 4:
            part = content[where : where + length]
            content[where:where] = part * random.choice([1, 2, 50])
        elif change == 5:
            content[where : where + length] = random.randbytes(length)
        elif random.random() < 0.3:
            del content[where:]
    return bytes(content)


def data_of(random, data):
    """A copy of the data with a few values replaced, dropped, moved, repeated, or made larger or smaller."""
    data = copy.deepcopy(data)
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        place, key = _place(random, data)
        if place is None:
            break
        _change(random, place, key)
    return data


def _place(random, data):
    """A container in the data and one of its keys."""
    place = None
    while isinstance(data, (dict, list)) and data:
        place, key = data, random.choice(list(data) if isinstance(data, dict) else range(len(data)))
        data = data[key]
        if random.random() < 0.25:
            break
    return (place, key) if place is not None else (None, None)


def _change(random, place, key):
    change = random.randrange(8)
    value = place[key]
    if change <= 2:
        place[key] = copy.deepcopy(random.choice(ODD))
    elif change == 3:
        del place[key]
    elif change == 4 and isinstance(place, list):
        place[key:key] = [copy.deepcopy(value) for _ in range(random.choice([1, 5, 500, 30_000 // (len(str(value)) + 1)]))]
    elif change == 5 and isinstance(place, dict):
        place[random.choice(["x", "size", "kind", "\x1b"])] = copy.deepcopy(random.choice([value, *ODD]))
    elif change == 6:
        other = random.choice(list(place) if isinstance(place, dict) else range(len(place)))
        place[key], place[other] = place[other], place[key]
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        place[key] = random.choice([-value, value + 1, value - 1, value * 1000, value / 3, value * 0])
    elif isinstance(value, str):
        place[key] = random.choice([value + " ", value.upper(), value[:-1], value * 3, value[::-1]])
