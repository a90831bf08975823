import json


def answer(path, query, state):
    rows = [{"t": f"2026-01-{day:02}T00:00:00Z", "p": 100 + day} for day in range(8, 16)]
    return 200, {}, json.dumps(rows + ([{"t": "2026-01-12T20:10:00Z", "p": 100000}] if state == "tick" else []))
