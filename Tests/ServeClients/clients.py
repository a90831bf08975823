"""Asks `bitpal serve` by two clients that were written for CoinGecko, on every path, and compares figures with the command line.

    python3 clients.py BITPAL

pycoingecko takes whatever comes; coingecko-sdk, CoinGecko's own, is told to hold every answer to its types. The prices are
those of the demo recording.
"""

import json
import subprocess
import sys
import urllib.request
from decimal import Decimal

from coingecko_sdk import Coingecko
from pycoingecko import CoinGeckoAPI

BITPAL = sys.argv[1]


def pycoingecko_calls(url):
    client = CoinGeckoAPI()
    client.api_base_url = url + "/api/v3/"
    extras = {f"include_{name}": "true" for name in ("market_cap", "24hr_vol", "24hr_change", "last_updated_at")}
    return {
        "ping": lambda: client.ping(),
        "simple/price": lambda: client.get_price(ids="bitcoin,ethereum", vs_currencies="usd,eur", **extras),
        "simple/price, lists": lambda: client.get_price(["bitcoin", "solana"], ["usd"], include_market_cap=True, precision=2),
        "simple/supported_vs_currencies": lambda: client.get_supported_vs_currencies(),
        "coins/list": lambda: client.get_coins_list(),
        "coins/list, platforms": lambda: client.get_coins_list(include_platform=True),
        "coins/markets": lambda: client.get_coins_markets("usd"),
        "coins/markets, ids": lambda: client.get_coins_markets(
            "usd", ids="bitcoin,ethereum", sparkline=True, price_change_percentage="1h,24h,7d"),
        "coins/markets, page": lambda: client.get_coins_markets("usd", per_page=5, page=2, order="volume_desc"),
        "coins/{id}": lambda: client.get_coin_by_id("bitcoin"),
        "coins/{id}, less": lambda: client.get_coin_by_id("bitcoin", localization=False, tickers=False, sparkline=True),
        "market_chart": lambda: client.get_coin_market_chart_by_id("bitcoin", "usd", 1),
        "market_chart, days": lambda: client.get_coin_market_chart_by_id("bitcoin", "usd", "30"),
        "market_chart, max": lambda: client.get_coin_market_chart_by_id("bitcoin", "usd", "max", interval="daily"),
        "market_chart/range": lambda: client.get_coin_market_chart_range_by_id("bitcoin", "usd", 1736700000, 1736900000),
        "ohlc": lambda: client.get_coin_ohlc_by_id("bitcoin", "usd", 7),
        "ohlc, year": lambda: client.get_coin_ohlc_by_id("bitcoin", "usd", 365),
        "history": lambda: client.get_coin_history_by_id("bitcoin", "10-01-2025"),
        "search": lambda: client.search("doge"),
    }


def sdk_calls(url):
    client = Coingecko(demo_api_key="none", environment="demo", base_url=url + "/api/v3", _strict_response_validation=True)
    extras = {f"include_{name}": True for name in ("market_cap", "24hr_vol", "24hr_change", "last_updated_at")}
    price, coins = client.simple.price, client.coins
    return {
        "ping": lambda: client.ping.get(),
        "simple/price": lambda: price.get(vs_currencies="usd,eur", ids="bitcoin,ethereum", precision="2", **extras),
        "simple/price, symbols": lambda: price.get(vs_currencies="usd", symbols="btc"),
        "simple/supported_vs_currencies": lambda: client.simple.supported_vs_currencies.get(),
        "coins/list": lambda: coins.list.get(include_platform=True),
        "coins/markets": lambda: coins.markets.get(vs_currency="usd", sparkline=True, price_change_percentage="1h,7d"),
        "coins/markets, ids": lambda: coins.markets.get(vs_currency="usd", ids="bitcoin", per_page=1, page=1),
        "coins/{id}": lambda: coins.get_id("bitcoin", sparkline=True),
        "market_chart": lambda: coins.market_chart.get("bitcoin", vs_currency="usd", days="30", interval="daily"),
        "market_chart/range": lambda: coins.market_chart.get_range(
            "bitcoin", vs_currency="usd", from_="1736700000", to="1736900000"),
        "ohlc": lambda: coins.ohlc.get("bitcoin", vs_currency="usd", days="7"),
        "history": lambda: coins.history.get("bitcoin", date="10-01-2025"),
        "search": lambda: client.search.get(query="doge"),
    }


def read(url):
    with urllib.request.urlopen(url) as answer:
        return json.load(answer, parse_float=Decimal, parse_int=Decimal)


def printed(*words):
    return json.loads(subprocess.check_output([BITPAL, *words, "-p", "fixture", "--format", "json"]))


def figures(url):
    """Each figure as it is served, and as the command line prints it."""
    coins = ["bitcoin", "ethereum", "solana"]
    prices = {row["id"]: row for row in printed("price", *coins)["prices"]}
    details = {row["id"]: row for row in printed("coin", *coins)["coins"]}
    query = "&include_market_cap=true&include_24hr_vol=true&include_24hr_change=true"
    simple = read(f"{url}/api/v3/simple/price?ids={','.join(coins)}&vs_currencies=usd{query}")
    markets = {row["id"]: row for row in read(f"{url}/api/v3/coins/markets?vs_currency=usd&ids={','.join(coins)}")}
    for coin in coins:
        price, detail, row = prices[coin], details[coin], simple[coin]
        yield f"{coin} price", row["usd"], price["price"]
        yield f"{coin} change", row["usd_24h_change"], price["change_24h"]
        yield f"{coin} market cap", row["usd_market_cap"], detail["market_cap"]
        yield f"{coin} volume", row["usd_24h_vol"], detail["total_volume"]
        yield f"{coin} price in the market", markets[coin]["current_price"], price["price"]
        yield f"{coin} supply", markets[coin]["circulating_supply"], detail["circulating_supply"]
    day = printed("history", "bitcoin", "--on", "2025-01-09")["days"][0]["price"]
    history = read(f"{url}/api/v3/coins/bitcoin/history?date=10-01-2025")
    yield "bitcoin at midnight", history["market_data"]["current_price"]["usd"], day
    chart = printed("chart", "bitcoin", "--range", "1W")["points"]
    served = read(f"{url}/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=7")["prices"]
    yield "points of a week", Decimal(len(served)), str(len(chart))
    for (_, price), point in zip(served, chart):
        yield f"bitcoin at {point['time']}", price, point["price"]


def main():
    server = subprocess.Popen(
        [BITPAL, "serve", "-p", "fixture", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    failures = []
    try:
        url = server.stdout.readline().strip()
        calls = [("pycoingecko", pycoingecko_calls(url)), ("coingecko-sdk", sdk_calls(url))]
        for client, paths in calls:
            for path, call in paths.items():
                try:
                    call()
                except Exception as error:
                    failures.append(f"{client}, {path}: {error} {error.__cause__ or ''}")
        compared = list(figures(url))
        failures += [f"{what}: served {one}, printed {other}" for what, one, other in compared if one != Decimal(other)]
    finally:
        server.terminate()
    if server.wait() != 0:
        failures.append(f"the server ended with {server.returncode}")
    print("\n".join(failures + [
        f"{sum(len(paths) for _, paths in calls)} calls, {len(compared)} figures compared, {len(failures)} failures"]))
    return 1 if failures else 0


sys.exit(main())
