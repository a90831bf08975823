from datetime import date, datetime, timedelta, timezone

from yahoo import at, chart

NOW = datetime(2021, 5, 1, 12, 0, tzinfo=timezone.utc)


def answer(path, query, state):
    rows, day = [], date(2021, 3, 1)
    while day < date(2021, 5, 1):
        if day.weekday() < 5:
            price = 1.1 + day.month / 100 + day.day / 10000
            rows.append((at(day.year, day.month, day.day, zone="Europe/London"), price, price + 0.01, price - 0.01, price))
        day += timedelta(1)
    return chart("EURUSD=X", "USD", NOW, "Europe/London", query.get("interval", "1d"), rows, query)
