"""Candles of days until 15 January, with the number of days since 1970 as the price; HTTP 503 while the state is "down"."""
import datetime
import json


def answer(path, query, state):
    if state == "down":
        return 503, {}, "{}"
    days = [datetime.date(2026, 1, 15) - datetime.timedelta(day) for day in range(60)]
    return 200, {}, json.dumps([{"t": str(day), "p": (day - datetime.date(1970, 1, 1)).days} for day in days])
