import json


def answer(path, query, state):
    if path.startswith("/fund"):
        return 200, {}, '{"price": 0.03, "volume": 0}'
    if path.startswith("/gate"):
        return 200, {}, json.dumps([{"currency_pair": "XEM_USDT", "last": "0.0251", "change_percentage": "0",
                                     "base_volume": "0", "quote_volume": "0"}])
    return 200, {}, json.dumps({"symbol": query["symbol"], "lastPrice": "0.02500000", "priceChangePercent": "0.000",
                                "volume": "0.00000000", "closeTime": 1768507200000, "count": 0})
