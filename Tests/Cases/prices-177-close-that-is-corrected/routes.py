import json


def answer(path, query, state):
    days = [f"2026-01-{day:02}" for day in (12, 13, 14, 15, 16, 19, 20)]
    closes = {day: 100 + place for place, day in enumerate(days)}
    if state != "mended":
        closes["2026-01-14"] = 1020
    return 200, {}, json.dumps([[day, closes[day]] for day in days if query["from"] <= day <= query["to"]])
