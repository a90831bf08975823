import datetime
import json

COINS = {"bitcoin": ("btc", 366, lambda day: 40000 + 100 * day), "terra": ("luna", 60, lambda day: 100 - day), "classic": ("lunc", 366, lambda day: 1)}


def answer(path, query, state):
    if path == "/list":
        return 200, {}, json.dumps([{"id": id, "symbol": coin[0], "name": id} for id, coin in COINS.items()])
    symbol, days, price = COINS[query["id"]]
    start = datetime.date(2024, 1, 1)
    rows = [{"t": str(start + datetime.timedelta(day)), "p": price(day)} for day in range(days)]
    return 200, {}, json.dumps({"rows": rows})
