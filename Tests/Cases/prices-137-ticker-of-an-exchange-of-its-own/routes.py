import json

COINBASE = {"BEAM-USD": "0.0021", "CGLD-USD": "0.1155"}


def answer(path, query, state):
    if path.startswith("/coinbase/products/"):
        last = COINBASE.get(path.split("/")[3])
        if last is None:
            return 404, {}, '{"message":"NotFound"}'
        return 200, {}, json.dumps({"open": last, "high": last, "low": last, "last": last, "volume": "5124014.5"})
    if path.startswith("/upbit/") and query.get("markets") == "KRW-BEAM":
        return 200, {}, '[{"market":"KRW-BEAM","trade_timestamp":1772647190000,"trade_price":2.95,"acc_trade_volume_24h":411202541.25}]'
    if path.startswith("/binance/") and query.get("symbol") == "BEAMXUSDT":
        return 200, {}, json.dumps({"symbol": "BEAMXUSDT", "lastPrice": "0.00209000", "priceChangePercent": "1.500", "volume": "5120400.1",
                                    "closeTime": 1772647190000, "count": 812})
    return 404, {}, '{"error":{"name":404,"message":"Code not found"}}'
