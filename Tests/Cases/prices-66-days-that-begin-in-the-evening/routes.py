import json
from datetime import date, timedelta

from yahoo import at


def answer(path, query, state):
    rows, day = [], date(2024, 3, 4)
    while day < date(2024, 3, 20):
        if day.weekday() < 5:
            evening = day - timedelta(1)
            price = 2 + day.day / 100
            rows.append([at(evening.year, evening.month, evening.day, 17, zone="America/New_York"), price, price + 0.1, price - 0.1, price])
        day += timedelta(1)
    return 200, {}, json.dumps(rows)
