import json


def answer(path, query, state):
    if path.startswith("/bybit"):
        return 200, {}, json.dumps({"retCode": 0, "retMsg": "OK", "result": {"category": "spot", "list": []}, "time": 1772647190000})
    if path.startswith("/bitget"):
        return 200, {}, json.dumps({"code": "00000", "msg": "success", "data": []})
    if path.startswith("/okx"):
        return 200, {}, json.dumps({"code": "0", "msg": "", "data": [
            {"instId": "ATOM-USDT", "last": "4.5", "open24h": "4.4", "vol24h": "1200", "ts": "1772647190000"}]})
    return 200, {}, json.dumps({"error": ["EService:Throttled: 1772647300" if query["pair"] == "XBTUSD" else "EQuery:Invalid asset pair"]})
