"""Ten days whose low stands in the column of the high (swapped), or that are all negative, or all zero."""
import datetime
import json


def answer(path, query, state):
    days = [datetime.date(2026, 1, 15) - datetime.timedelta(day) for day in range(10)]
    o, h, l, c = {"swapped": (5, 3, 8, 6), "negative": (-5, -3, -8, -6)}.get(state, (0, 0, 0, 0))
    return 200, {}, json.dumps([{"t": str(day), "o": o, "h": h, "l": l, "c": c} for day in days])
