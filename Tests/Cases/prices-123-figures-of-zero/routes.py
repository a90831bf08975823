import json

import coins

ZEROS = {"market_cap": 0, "total_volume": 0, "circulating_supply": 0, "total_supply": 0, "max_supply": 0.0, "ath": 0, "atl": 0}
KNOWN = {"market_cap": 2000000, "total_volume": 5, "circulating_supply": 100, "market_cap_rank": 1, "ath": 30, "atl": 1}


def answer(path, query, state):
    status, headers, body = coins.answer(path, query, state)
    if status == 200 and path.endswith("/coins/markets"):
        rows = [{**row, **(KNOWN if row["id"] == "bitcoin" else ZEROS), "sparkline_in_7d": {"price": []}} for row in json.loads(body)]
        body = json.dumps(rows)
    return status, headers, body
