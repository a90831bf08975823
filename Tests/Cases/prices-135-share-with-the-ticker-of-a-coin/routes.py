from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 3, 4, 16, tzinfo=timezone.utc)


def answer(path, query, state):
    symbol = path.split("/")[-1]
    rows = [(at(2026, 3, 4, 9, 30, zone="America/New_York"), 150, 150, 150, 151)]
    return chart(symbol, "USD", NOW, "America/New_York", query.get("interval", "1d"), rows, query, chartPreviousClose=rows[0][1])
