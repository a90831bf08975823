import json

SHEET = "isin;price;day\n" + "".join(f"FUND{i};{10 + i};2026-01-15T09:00:00Z\n" for i in range(1, 6))


def answer(path, query, state):
    if path == "/funds.csv":
        return 200, {"Content-Type": "text/csv"}, SHEET
    page = int(query.get("page") or 1)
    rows = [{"id": f"coin{2 * page - 1}", "p": 2 * page - 1}, {"id": f"coin{2 * page}", "p": 2 * page}]
    return 200, {}, json.dumps({"rows": rows, "next": page + 1 if page < 3 else None})
