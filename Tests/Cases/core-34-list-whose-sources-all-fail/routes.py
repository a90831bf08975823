import json

import coins


def answer(path, query, state):
    if not state and path.startswith("/moon"):
        return 200, {}, json.dumps({"price": "11", "time": 1768471200, "name": "Bitcoin"})
    return coins.answer(path, query, state)
