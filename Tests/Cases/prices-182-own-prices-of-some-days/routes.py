"""Closes of sixty days until 15 January 2026, all of them 3.14."""
import datetime
import json


def answer(path, query, state):
    days = [datetime.date(2026, 1, 15) - datetime.timedelta(day) for day in range(60)]
    return 200, {}, json.dumps([{"t": str(day), "p": 3.14} for day in days])
