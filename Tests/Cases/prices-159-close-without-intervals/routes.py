import json


def answer(path, query, state):
    stamps = [f"2026-01-{day}" for day in range(12, 17)] if path == "/days" else [f"2026-01-14T{hour}:00:00Z" for hour in range(10, 16)]
    return 200, {}, json.dumps([{"t": stamp, "open": 100 + place, "close": 110 + place} for place, stamp in enumerate(stamps)])
