import json

COINS = {
    "bitcoin": "btc", "batcat": "btc", "uni-old": "uni", "eurotoken": "eur", "first-zap": "zap", "second-zap": "zap", "at": "@",
    "dollar-x": "$x", "x-of-dollars": "x$", "lone": "lon",
}
START, DAY = 1768262400, 86400


def answer(path, query, state):
    if path.endswith("/coins/list"):
        return 200, {}, json.dumps([{"id": i, "symbol": s, "name": i.capitalize()} for i, s in COINS.items()])
    coin = path.split("/")[-2]
    if path.endswith("/market_chart") and coin in COINS:
        price = 10 * (1 + list(COINS).index(coin))
        times = range(START - 80 * DAY, START + 3 * DAY, 3600)
        return 200, {}, json.dumps({"prices": [[t * 1000, price] for t in times], "market_caps": [], "total_volumes": []})
    return 404, {}, json.dumps({"error": "coin not found"})
