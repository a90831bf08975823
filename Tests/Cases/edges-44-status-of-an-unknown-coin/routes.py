import json

PRICES = {"/price/bitcoin/usd": "50000"}


def answer(path, query, state):
    if path not in PRICES:
        return 404, {}, "{}"
    return 200, {}, json.dumps({"p": PRICES[path], "t": "2026-01-15T11:59:00Z"})
