import json

from yahoo import at


def answer(path, query, state):
    end = at(2026, 1, 15, 19, 59)
    return 200, {}, json.dumps([[(end - 60 * i) * 1000, 100 + i, 100 + i, 101 + i, 99 + i] for i in range(120)])
