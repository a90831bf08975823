import json

import coins


def answer(path, query, state):
    if "dogecoin/market_chart" in path:
        return 500, {}, json.dumps({"error": "internal"})
    if "market_chart" in path:
        return 200, {}, json.dumps({"prices": [[1768384800000, 10.0], [1768471200000, 11.0]]})
    return coins.answer(path, query, state)
