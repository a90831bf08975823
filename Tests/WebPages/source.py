"""A source on this machine: its coins are what a test says, its prices can be changed, and it can die."""

import http.server
import json
import math
import threading
import time
from datetime import UTC, datetime
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

PROVIDER = """
id: live
name: Live
kind: http
attribution: Prices made by a test
base_url: %s
rate_limit: 1000000/1s
quotes:
  get: /quotes?ids={ids}
  batch: 250
  time: iso8601
  each: $
  fields: { id: $.id, symbol: $.symbol, name: $.name, price: $.price, change_24h: $.change, time: $.time }
detail:
  get: /detail?id={id}
  time: iso8601
  fields: { id: $.id, symbol: $.symbol, name: $.name, price: $.price, change_24h: $.change, time: $.time, market_cap: $.cap }
coin_list:
  get: /coins
  each: $
  fields: { id: $.id, symbol: $.symbol, name: $.name }
line:
  get: /line?id={id}&from={from}&to={to}&step={interval}
  intervals: { 1m: 60, 5m: 300, 1h: 3600, 1d: 86400, 7d: 604800 }
  time: seconds
  each: $
  fields: { time: $.t, price: $.c }
candles:
  get: /line?id={id}&from={from}&to={to}&step={interval}
  intervals: { 1m: 60, 5m: 300, 1h: 3600, 1d: 86400, 7d: 604800 }
  time: seconds
  each: $
  fields: { time: $.t, open: $.o, high: $.h, low: $.l, close: $.c }
"""


class Coin:
    """A coin and its price, a text, so that it may have any digits."""

    def __init__(self, name, symbol, price, change="1.25"):
        self.name, self.symbol, self.price, self.change = name, symbol, price, change


class Source:
    """The source, serving until it is told to die; it notes what it is asked."""

    def __init__(self, coins):
        self.coins, self.asked, self.is_dead = coins, [], False
        source = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                source.asked.append(self.path)
                url = urlsplit(self.path)
                answer = None if source.is_dead else source.answer(url.path, {k: v[0] for k, v in parse_qs(url.query).items()})
                body = b"" if answer is None else answer.encode()
                self.send_response(503 if source.is_dead else 404 if answer is None else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path, query):
        if path == "/coins":
            return json.dumps([{"id": id, "symbol": coin.symbol, "name": coin.name} for id, coin in self.coins.items()])
        if path == "/quotes":
            return "[" + ",".join(self.row(id) for id in query["ids"].split(",") if id in self.coins) + "]"
        if query.get("id") not in self.coins:
            return None
        return self.row(query["id"]) if path == "/detail" else self.line(query)

    def row(self, id):
        coin = self.coins[id]
        rest = {"id": id, "symbol": coin.symbol, "name": coin.name, "time": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")}
        # Prices are written as they are: JSON numbers of any length.
        return json.dumps(rest)[:-1] + f', "price": {coin.price}, "change": {coin.change}, "cap": 123456789}}'

    def line(self, query):
        start, end, step = (int(query[name]) for name in ("from", "to", "step"))
        price = Decimal(self.coins[query["id"]].price)
        rows = []
        for second in range(start - start % step + step, min(end, int(time.time())) + 1, step)[-2000:]:
            # A wave around the price, however large or small that is.
            waves = [price * Decimal(round(1000 + 200 * math.sin((second + part * step / 3) / step / 9))) / 1000 for part in range(4)]
            open, close, low, high = (format(figure, "f") for figure in (waves[0], waves[3], min(waves), max(waves)))
            rows.append(f'{{"t": {second}, "o": {open}, "h": {high}, "l": {low}, "c": {close}}}')
        return "[" + ",".join(rows) + "]"
