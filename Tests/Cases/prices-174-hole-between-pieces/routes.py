import json

NOW, DAY = 1768651200, 86400  # 2026-01-17T12:00Z


def answer(path, query, state):
    first, last = -(-int(query["from"]) // DAY) * DAY, min(int(query["to"]), NOW)
    # A piece in the middle is empty for a moment.
    if path == "/gone" and 150 < (NOW - last) / DAY < 250:
        return 200, {}, "[]"
    return 200, {}, json.dumps([[t, 100 + t // DAY % 7] for t in range(first, last + 1, DAY)])
