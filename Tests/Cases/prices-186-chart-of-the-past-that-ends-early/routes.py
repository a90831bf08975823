"""Days until 14 January 2026, without those of 9 to 11 January ("hole") or after 4 January ("end")."""
import datetime
import json


def answer(path, query, state):
    days = [datetime.date(2026, 1, 14) - datetime.timedelta(day) for day in range(40)]
    if state == "hole":
        days = [day for day in days if not datetime.date(2026, 1, 9) <= day <= datetime.date(2026, 1, 11)]
    if state == "end":
        days = [day for day in days if day <= datetime.date(2026, 1, 4)]
    return 200, {}, json.dumps([{"t": str(day), "p": (day - datetime.date(1970, 1, 1)).days} for day in days])
