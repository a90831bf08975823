import json


def answer(path, query, state):
    time = {"dates": "", "instants": "T05:00:00Z"}[path[1:]]
    return 200, {}, json.dumps([[f"2026-01-{day:02}{time}", 100 + day] for day in (12, 13, 14, 15, 16)])
