import json

import coins

# By the state: the price, and the time that the source gives for it.
STATES = {
    "": (96841.5, "2026-01-15T09:59:30Z"), "behind": (95000, "2026-01-15T09:10:00Z"), "on": (97000, "2026-01-15T10:02:10Z"),
    "ahead": (98000, "2026-01-15T18:00:00Z"), "right": (97500, "2026-01-15T10:04:00Z"), "gone": (91000, "2026-01-13T00:00:00Z")}


def answer(path, query, state):
    status, headers, body = coins.answer(path, query, "")
    if status == 200 and path.endswith("/coins/markets"):
        price, time = STATES[state]
        body = json.dumps([{**row, "current_price": price, "last_updated": time} for row in json.loads(body)])
    return status, headers, body
