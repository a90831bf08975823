import json

import coins


def answer(path, query, state):
    status, headers, body = coins.answer(path, query, "")
    if status == 200 and path.endswith("/coins/markets"):
        rows = [{**row, "current_price": float(state or 8685.55), "last_updated": None} for row in json.loads(body)]
        body = json.dumps(rows)
    return status, headers, body
