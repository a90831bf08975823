import json


def answer(path, query, state):
    start = 100 if path == "/ACME" else 2600
    return 200, {}, json.dumps([{"t": f"2026-01-{day}", "p": start + day} for day in (12, 13, 14, 15, 16)])
