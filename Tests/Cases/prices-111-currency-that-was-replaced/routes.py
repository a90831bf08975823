import json

import coins


def answer(path, query, state):
    if query.get("vs_currency") == "vef":  # a tenth of a dollar, at which CoinGecko has gone on
        status, headers, body = coins.answer(path, {**query, "vs_currency": "usd"}, state)
        rows = [{**row, "current_price": row["current_price"] / 10} for row in json.loads(body)]
        return status, headers, json.dumps(rows)
    return coins.answer(path, query, state)
