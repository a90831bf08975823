import json


def answer(path, query, state):
    page = int(query["page"])
    if page == 2 and state != "good":
        return 200, {}, json.dumps({"error": "slow down, 5 calls a minute" if state == "limit" else "page too deep"})
    numbers = range(10 * page - 9, min(10 * page, 20) + 1)
    rows = [{"t": f"2026-01-{number:02}", "p": number} if path == "/line" else {"id": f"coin{number}"} for number in numbers]
    return 200, {}, json.dumps({"rows": rows})
