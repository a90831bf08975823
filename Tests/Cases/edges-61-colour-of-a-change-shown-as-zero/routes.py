import json

import coins

CHANGES = {"bitcoin": 0, "ethereum": 0.004, "solana": -0.004, "tether": 0.006}


def answer(path, query, state):
    status, headers, body = coins.answer(path, query, state)
    if status == 200 and path.endswith("/coins/markets"):
        rows = [{**row, "price_change_percentage_24h": CHANGES[row["id"]]} for row in json.loads(body)]
        return status, headers, json.dumps(rows)
    return status, headers, body
