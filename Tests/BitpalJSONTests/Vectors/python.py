#!/usr/bin/env python3
"""Writes python.json: documents in odd spellings, paths into them, and what Python's json reads there.

Run it as `python3 python.py COUNT SEED > python.json`. A document has no U+0000 and no half of a surrogate pair, which
the reader replaces on purpose; a name in a path has no quotation mark, which SQLite's paths cannot say.
"""
import json
import random
import sys

count, seed = int(sys.argv[1]), int(sys.argv[2])
random = random.Random(seed)
LETTERS = "ab.[]{}:,$#-\"\\/ \n\t\x01\x7fé€中😀0"


def letter(character):
    """Returns one of the spellings of a character within a string."""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "/": "\\/"}
    units = character.encode("utf-16-be")
    forms = ["".join("\\u%02x%02x" % (units[i], units[i + 1]) for i in range(0, len(units), 2))]
    forms.append(forms[0].upper().replace("\\U", "\\u"))
    if character in escapes:
        forms.append(escapes[character])
    if character not in '"\\' and character >= " ":
        forms += [character] * 4
    return random.choice(forms)


def name():
    return "".join(random.choice(LETTERS) for _ in range(random.randint(0, 4)))


def space():
    return random.choice(["", "", "", " ", "\n", "\t\r "])


def spelled(text):
    return '"' + "".join(letter(character) for character in text) + '"'


def tree(depth):
    """Returns the spelling of a random value."""
    kind = random.randint(0, 4 if depth > 4 else 8)
    if kind == 0:
        return random.choice(["true", "false", "null"])
    if kind == 1:
        return random.choice(["0", "-0", "7", "-12", "9007199254740993", "-9223372036854775808"])
    if kind == 2:
        return random.choice(["0.5", "-1.25", "1e3", "2E-2", "1.0"])
    if kind <= 4:
        return spelled(name())
    if kind <= 6:
        return "[" + space() + ",".join(space() + tree(depth + 1) + space() for _ in range(random.randint(0, 4))) + "]"
    members = []
    names = [name() for _ in range(3)]
    for _ in range(random.randint(0, 5)):
        members.append(space() + spelled(random.choice(names)) + space() + ":" + space() + tree(depth + 1) + space())
    return "{" + space() + ",".join(members) + "}"


def path(value):
    """Returns a path that leads, more often than not, to a value, and the value; no value where there is none."""
    text = "$"
    while True:
        if random.random() < 0.1:
            return text + random.choice([".none", "[99]", "[#-99]"]), False, None
        if isinstance(value, dict) and value and random.random() < 0.9:
            key = random.choice(list(value))
            if '"' in key:
                return text, True, value
            plain = key and not set(key) & set('.["')
            text += "." + key if plain and random.random() < 0.5 else '."' + key + '"'
            value = value[key]
        elif isinstance(value, list) and value and random.random() < 0.9:
            place = random.randrange(len(value))
            text += "[%d]" % place if random.random() < 0.7 else "[#-%d]" % (len(value) - place)
            value = value[place]
        else:
            return text, True, value


def kind(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return {str: "text", int: "integer", float: "real", list: "array", dict: "object"}[type(value)]


cases = []
while len(cases) < count:
    spelling = space() + tree(0) + space()
    document = json.loads(spelling)
    for _ in range(4):
        where, isThere, value = path(document)
        size = len(value) if isinstance(value, (list, dict)) else None
        text = None if value is None or size is not None else value if isinstance(value, str) else json.dumps(value)
        cases.append([spelling, where, kind(value) if isThere else None, text, size])
    if len(spelling) < 12:
        del cases[-3:]
print("[" + ",\n".join(json.dumps(case) for case in cases) + "]")
