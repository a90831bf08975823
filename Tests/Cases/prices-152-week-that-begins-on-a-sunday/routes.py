"""A coin with a price at every hour and a share with a close on each weekday; the price of each is the number of days since 1970."""
import datetime
import json


def answer(path, query, state):
    days = [datetime.date(2025, 12, 1) + datetime.timedelta(day) for day in range(42)]
    if path.startswith("/share"):
        rows = [{"t": day.isoformat(), "p": (day - datetime.date(1970, 1, 1)).days} for day in days if day.weekday() < 5]
        return 200, {}, json.dumps(rows)
    first, last = int(query["from"]), int(query["to"])
    hours = range(first - first % 3600, last + 1, 3600)
    return 200, {}, json.dumps([{"t": hour, "p": str(round(hour / 86400, 4))} for hour in hours])
