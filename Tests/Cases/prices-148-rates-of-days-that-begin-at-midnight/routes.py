import json


RATES = {"ZAR": [("2026-01-12", 12), ("2026-01-13", 13), ("2026-01-14", 14), ("2026-01-15", 15)],
         "RUB": [("1997-12-30", 5958), ("1997-12-31", 5960), ("1998-01-01", 5.96), ("1998-01-02", 5.97), ("1998-01-03", 5.98)]}


def answer(path, query, state):
    rows = [row for row in RATES[path[1:]] if query["from"] <= row[0] <= query["to"]]
    return 200, {}, json.dumps([{"day": day + "T00:00:00", "rate": rate} for day, rate in rows])
