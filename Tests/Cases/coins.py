"""CoinGecko as far as cases of the server need it: six coins at 10, 20, 30 and so on; an unknown currency is 422, as there."""
import json

COINS = {"bitcoin": "btc", "ethereum": "eth", "solana": "sol", "tether": "usdt", "uniswap": "uni", "dogecoin": "doge"}
TIME = "2026-01-15T10:00:00.000Z"


def answer(path, query, state):
    """`state` is words such as `status 503`, `after 120` (Retry-After), or nothing when all is well."""
    words = state.split()
    headers = {"Retry-After": words[words.index("after") + 1]} if "after" in words else {}
    if "status" in words:
        return int(words[words.index("status") + 1]), headers, json.dumps({"error": "as the case wants it"})
    if path.endswith("/coins/list"):
        return 200, {}, json.dumps([{"id": i, "symbol": s, "name": i.capitalize()} for i, s in COINS.items()])
    if path.endswith("/coins/markets"):
        if query.get("vs_currency") not in ("usd", "eur"):
            return 422, {}, json.dumps({"error": "invalid vs_currency"})
        ids = [i for i in query.get("ids", "").split(",") if i in COINS]
        rows = [
            {"id": i, "symbol": COINS[i], "name": i.capitalize(), "current_price": 10 * (list(COINS).index(i) + 1),
             "price_change_percentage_24h": 1.5, "last_updated": TIME} for i in ids]
        return 200, {}, json.dumps(rows)
    return 404, {}, json.dumps({"error": "none"})
