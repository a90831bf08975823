"""An exchange on this machine, in the form of Coinbase's: its prices are a curve, its answers are of our own making."""

import contextlib
import http.server
import json
import math
import threading
from datetime import datetime
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

COINS = {"BTC": ("Bitcoin", 96841), "ETH": ("Ethereum", 3214), "SOL": ("Solana", 189), "DOGE": ("Dogecoin", "0.3618")}
RATES = {"USD": 1, "EUR": "0.97"}
NOW = int(datetime.fromisoformat("2025-01-15T10:30:00+00:00").timestamp())


def price(coin, currency, second):
    """What one costs at a second, with five significant decimals."""
    wave = Decimal(round(1_000_000 + 40_000 * math.sin(second / 50_000) + 9_000 * math.sin(second / 3_000)))
    return (Decimal(COINS[coin][1]) * Decimal(RATES[currency]) * wave / 1_000_000).quantize(Decimal("0.00001"))


def candles(coin, currency, query):
    width = int(query["granularity"][0])
    start, end = (int(datetime.fromisoformat(query[name][0].replace("Z", "+00:00")).timestamp()) for name in ("start", "end"))
    rows = []
    for second in range(start - start % width, min(end, NOW) + 1, width):
        seen = [price(coin, currency, second + part * width // 4) for part in range(5)]
        rows.append([second, *(float(figure) for figure in (min(seen), max(seen), seen[0], seen[-1])), 1.5])
    return rows[::-1]


class Exchange(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        parts = url.path.strip("/").split("/")
        answer, status = {"message": "NotFound"}, 404
        if parts == ["currencies"]:
            answer = [{"id": ticker, "name": name, "details": {"type": "crypto"}} for ticker, (name, _) in COINS.items()]
            status = 200
        elif parts[0] == "products":
            coin, _, currency = parts[1].partition("-")
            if coin in COINS and currency in RATES:
                status = 200
                if parts[2] == "stats":
                    answer = {"open": str(price(coin, currency, NOW - 86_400)), "last": str(price(coin, currency, NOW))}
                else:
                    answer = candles(coin, currency, parse_qs(url.query))
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Exchange)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
