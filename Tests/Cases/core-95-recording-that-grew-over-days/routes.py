"""A price without a time."""
import json


def answer(path, query, state):
    return 200, {}, json.dumps({"price": 100 if "bitcoin" in path else 5})
