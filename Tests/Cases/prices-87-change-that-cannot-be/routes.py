import json

ROWS = {
    "below": {"open": -1, "change": None}, "tiny": {"open": 1e-9, "change": None}, "zero": {"open": 0, "change": None},
    "dollars": {"open": None, "change": "-350.25"}, "whole": {"open": None, "change": -100}, "true": {"open": 20, "change": None},
}


def answer(path, query, state):
    return 200, {}, json.dumps({"price": 19.62, **ROWS[path[1:]]})
