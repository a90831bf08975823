"""Candles of days that open at the number of the day since 1 December 2025 and close at the next; both ends of a range are in it."""
import datetime
import json


def answer(path, query, state):
    if path == "/latest":
        last = datetime.date(2026, 1, 15)
        first = last - datetime.timedelta(29)
    else:
        first, last = (datetime.date.fromisoformat(query[name]) for name in ("from", "to"))
    rows = []
    for day in range((last - first).days + 1):
        date = first + datetime.timedelta(day)
        number = (date - datetime.date(2025, 11, 30)).days
        rows.append([str(date), 100 + number, 101 + number, 100 + number, 101 + number])
    return 200, {}, json.dumps(rows)
