from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 3, 4, 6, tzinfo=timezone.utc)
SHARES = {"005930.KS": ("KRW", 71000), "2330.TW": ("TWD", 1085), "PKN.WA": ("PLN", 62)}


def answer(path, query, state):
    symbol = path.split("/")[-1]
    currency, price = SHARES[symbol]
    rows = [(at(2026, 3, 4, 9, zone="Asia/Seoul"), price, price, price, price)]
    return chart(symbol, currency, NOW, "Asia/Seoul", query.get("interval", "1d"), rows, query, chartPreviousClose=rows[0][1])
