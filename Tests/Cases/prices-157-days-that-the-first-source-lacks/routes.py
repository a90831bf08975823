"""Two sources with the number of days since 1970 as the price."""
import datetime
import json


def answer(path, query, state):
    last = datetime.date(2026, 1, 15)
    days = [last - datetime.timedelta(day) for day in range(10 if path == "/short" else 400)]
    return 200, {}, json.dumps([{"t": str(day), "p": (day - datetime.date(1970, 1, 1)).days} for day in days])
