import json

CSV = {"Content-Type": "text/csv"}


def answer(path, query, state):
    """Everything costs 150, in whatever currency it is."""
    source = path.split("/")[1]
    if path.endswith("/q/l/"):
        rows = [f"{symbol.upper()},2026-01-15,18:14:00,150,151,149,150,10" for symbol in query["s"].split(",")]
        return 200, CSV, "Symbol,Date,Time,Open,High,Low,Close,Volume\n" + "\n".join(rows) + "\n"
    if source == "stooq":
        return 200, CSV, "Date,Open,High,Low,Close\n2026-01-14,150,151,149,150\n2026-01-15,150,151,149,150\n"
    if source == "polygon":
        ticker = path.split("/")[5]
        return 200, {}, json.dumps({"ticker": ticker, "results": [{"T": ticker, "c": 150, "t": 1768424400000}]})
    if source == "finnhub":
        return 200, {}, json.dumps({"c": 150, "pc": 149, "t": 1768424400})
    return 200, {}, json.dumps([{"symbol": query["symbol"], "name": "X", "price": 150, "previousClose": 149, "timestamp": 1768424400}])
