"""A price that is the number of hours since 2025."""
import json

NOW = 1768502400


def price(instant):
    return round((instant - 1735689600) / 3600, 2)


def answer(path, query, state):
    width = int(query["width"])
    first = max(int(query["from"]) // width * width, 1735689600)
    rows = [
        {"t": t, "o": price(t), "h": price(t + width), "l": price(t), "c": price(min(t + width, NOW))}
        for t in range(first, min(int(query["to"]), NOW) + 1, width)
    ]
    return 200, {}, json.dumps(rows)
