"""The rate of one day, 40 and the number of days of 2026; none on Saturdays and Sundays."""
import datetime
import json


def answer(path, query, state):
    _, year, day = path.split("/")
    date = datetime.date(int(year), int(day[:2]), int(day[2:]))
    if date.weekday() > 4 or date > datetime.date(2026, 1, 15):
        return 404, {}, "[]"
    return 200, {}, json.dumps([{"day": str(date), "rate": 40 + (date - datetime.date(2025, 12, 31)).days}])
