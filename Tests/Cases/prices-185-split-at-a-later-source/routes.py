"""A share since 2024; the state "split" divides all its prices by ten."""
import datetime
import json


def answer(path, query, state):
    first = datetime.date.fromisoformat(query["from"])
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(day) for day in range(760)]
    price = lambda day: (day - datetime.date(2020, 1, 1)).days / (10 if state == "split" else 1)
    return 200, {}, json.dumps([{"t": str(day), "p": price(day)} for day in days if first <= day <= datetime.date(2026, 1, 28)])
