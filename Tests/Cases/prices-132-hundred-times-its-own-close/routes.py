from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 3, 4, 16, tzinfo=timezone.utc)
SHARES = {"POUND.L": ("GBp", 48754.21, 488.5), "PENCE.L": ("GBp", 4.885, 488.5), "YEN.DE": ("EUR", 2766, 15.5), "CALM.DE": ("EUR", 15.6, 15.5)}


def answer(path, query, state):
    symbol = path.split("/")[-1]
    currency, price, close = SHARES[symbol]
    rows = [(at(2026, 3, 4, 9, zone="Europe/London"), price, price, price, price)]
    return chart(symbol, currency, NOW, "Europe/London", query.get("interval", "1d"), rows, query, chartPreviousClose=close)
