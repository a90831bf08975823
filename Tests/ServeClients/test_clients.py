"""Two clients that were written for CoinGecko ask on every path, of every source, and get what the command line prints.

pycoingecko takes whatever comes; coingecko-sdk, CoinGecko's own, is told to hold every answer to its types.
"""

import json
import urllib.request
from datetime import datetime
from decimal import Decimal

import pytest
from coingecko_sdk import Coingecko
from pycoingecko import CoinGeckoAPI

EXTRAS = [f"include_{name}" for name in ("market_cap", "24hr_vol", "24hr_change", "last_updated_at")]
FROM, TO = 1736640000, 1736899200  # 2025-01-12 to 2025-01-15, 00:00 UTC


class Pycoingecko:
    def __init__(self, url):
        self.client = CoinGeckoAPI()
        self.client.api_base_url = url + "/api/v3/"

    def calls(self):
        client = self.client
        return {
            "ping": lambda: client.ping(),
            "simple/price": lambda: client.get_price(
                ids="bitcoin,ethereum,solana", vs_currencies="usd,eur", **dict.fromkeys(EXTRAS, "true")),
            "simple/supported_vs_currencies": lambda: client.get_supported_vs_currencies(),
            "coins/list": lambda: client.get_coins_list(),
            "coins/markets": lambda: client.get_coins_markets("usd", ids="bitcoin,ethereum,solana"),
            "coins/{id}": lambda: client.get_coin_by_id("bitcoin", localization=False),
            "market_chart": lambda: client.get_coin_market_chart_by_id("bitcoin", "usd", 7),
            "market_chart/range": lambda: client.get_coin_market_chart_range_by_id("bitcoin", "usd", FROM, TO),
            "ohlc": lambda: client.get_coin_ohlc_by_id("bitcoin", "usd", 7),
            "history": lambda: client.get_coin_history_by_id("bitcoin", "10-01-2025"),
            "search": lambda: client.search("doge"),
        }

    def variants(self):
        client = self.client
        return {
            "simple/price, lists": lambda: client.get_price(["bitcoin"], ["usd"], include_market_cap=True, precision=2),
            "coins/list, platforms": lambda: client.get_coins_list(include_platform=True),
            "coins/markets, all": lambda: client.get_coins_markets("usd"),
            "coins/markets, changes": lambda: client.get_coins_markets(
                "usd", ids="bitcoin", sparkline=True, price_change_percentage="1h,24h,7d"),
            "coins/markets, page": lambda: client.get_coins_markets("usd", per_page=2, page=2, order="market_cap_desc"),
            "coins/{id}, week": lambda: client.get_coin_by_id("bitcoin", tickers=False, sparkline=True),
            "market_chart, day": lambda: client.get_coin_market_chart_by_id("bitcoin", "usd", "1"),
        }


class Official:
    def __init__(self, url):
        def client(is_strict):
            return Coingecko(
                demo_api_key="none", environment="demo", base_url=url + "/api/v3", max_retries=0,
                _strict_response_validation=is_strict)

        self.client = client(True)
        # CoinGecko, too, sends null for a market value that is not known, and an object for a week, which its models do not say.
        self.lenient = client(False).coins
        self.charts = self.lenient.market_chart

    def calls(self):
        client, price, coins = self.client, self.client.simple.price, self.client.coins
        span = {"from_": str(FROM), "to": str(TO)}
        return {
            "ping": lambda: client.ping.get(),
            "simple/price": lambda: price.get(
                vs_currencies="usd,eur", ids="bitcoin,ethereum,solana", **dict.fromkeys(EXTRAS, True)),
            "simple/supported_vs_currencies": lambda: client.simple.supported_vs_currencies.get(),
            "coins/list": lambda: coins.list.get(),
            "coins/markets": lambda: coins.markets.get(vs_currency="usd", ids="bitcoin,ethereum,solana"),
            "coins/{id}": lambda: coins.get_id("bitcoin"),
            "market_chart": lambda: self.charts.get("bitcoin", vs_currency="usd", days="7"),
            "market_chart/range": lambda: self.charts.get_range("bitcoin", vs_currency="usd", **span),
            "ohlc": lambda: coins.ohlc.get("bitcoin", vs_currency="usd", days="7"),
            "history": lambda: coins.history.get("bitcoin", date="10-01-2025"),
            "search": lambda: client.search.get(query="doge"),
        }

    def variants(self):
        client, coins = self.client, self.client.coins
        return {
            "simple/price, symbols": lambda: client.simple.price.get(vs_currencies="usd", symbols="btc", precision="2"),
            "coins/list, platforms": lambda: coins.list.get(include_platform=True),
            "coins/markets, all": lambda: coins.markets.get(
                vs_currency="usd", sparkline=True, price_change_percentage="1h,7d"),
            "coins/markets, page": lambda: coins.markets.get(vs_currency="usd", ids="bitcoin", per_page=1, page=1),
            "coins/{id}, week": lambda: self.lenient.get_id("bitcoin", sparkline=True),
            "market_chart, day": lambda: self.charts.get("bitcoin", vs_currency="usd", days="1", interval="daily"),
        }


CLIENTS = {"pycoingecko": Pycoingecko, "coingecko-sdk": Official}
PATHS = list(Pycoingecko("").calls())
VARIANTS = [(name, variant) for name, client in CLIENTS.items() for variant in client("").variants()]


def plain(answer):
    """An answer without the client's types: null and missing are the same to it."""
    if isinstance(answer, list):
        return [plain(element) for element in answer]
    if isinstance(answer, dict):
        return {key: plain(value) for key, value in answer.items() if value is not None}
    return plain(answer.to_dict(mode="json")) if hasattr(answer, "to_dict") else answer


def figure(text):
    """A figure as a client has it that reads JSON numbers as floats."""
    return None if text is None else float(Decimal(text))


def milliseconds(instant):
    return round(datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp() * 1000)


def check(path, answer, source):
    """Holds an answer against what the command line says of the same source."""
    usd, details = source.prices["usd"], source.details
    if path == "ping":
        assert answer == {"gecko_says": "(V3) To the Moon!"}
    elif path == "simple/price":
        assert set(answer) == set(source.coins)
        for coin, row in answer.items():
            for currency in ("usd", "eur"):
                printed = source.prices[currency][coin]
                assert row[currency] == figure(printed["price"])
                assert row.get(f"{currency}_24h_change") == figure(printed["change_24h"])
            detail = details.get(coin, {})
            assert row.get("usd_market_cap") == figure(detail.get("market_cap"))
            assert row.get("usd_24h_vol") == figure(detail.get("total_volume"))
    elif path == "simple/supported_vs_currencies":
        assert {"usd", "eur"} <= set(answer)
    elif path == "coins/list":
        assert set(source.coins) <= {row["id"] for row in answer}
    elif path == "coins/markets":
        assert {row["id"] for row in answer} == set(source.coins)
        for row in answer:
            detail = details.get(row["id"], {})
            assert row["current_price"] == figure(usd[row["id"]]["price"])
            for key in ("market_cap", "total_volume", "circulating_supply", "total_supply", "ath", "atl"):
                assert row.get(key) == figure(detail.get(key))
            assert row.get("market_cap_rank") == detail.get("rank")
    elif path == "coins/{id}":
        detail = details.get("bitcoin", usd["bitcoin"])
        market = answer["market_data"]
        assert market["current_price"] == {"usd": figure(detail["price"])}
        for key in ("market_cap", "total_volume", "ath", "atl"):
            assert market[key].get("usd") == figure(detail.get(key))
        assert market.get("price_change_percentage_24h") == figure(detail["change_24h"])
        assert market.get("price_change_percentage_7d") == figure(detail.get("change_7d"))
    elif path == "market_chart":
        points = [[milliseconds(point["time"]), figure(point["price"])] for point in source.week]
        assert answer["prices"] == points and len(points) > 20
    elif path == "market_chart/range":
        points = source.printed("chart", "bitcoin", "--from", "2025-01-12", "--to", "2025-01-14")["points"]
        assert answer["prices"] == [[milliseconds(point["time"]), figure(point["price"])] for point in points]
        assert len(points) > 20
    elif path == "ohlc":
        rows = source.candles["points"]
        assert [row[1:] for row in answer] == [
            [figure(row[key]) for key in ("open", "high", "low", "close")] for row in rows]
        # CoinGecko's stamp is the end.
        width = {"4h": 4, "6h": 6}[source.candles["candle"]] * 3_600_000
        assert [row[0] for row in answer] == [milliseconds(row["time"]) + width for row in rows]
    elif path == "history":
        assert answer["market_data"]["current_price"]["usd"] == figure(source.midnight)
    elif path == "search":
        found = source.printed("search", "doge")["results"]
        assert [row["id"] for row in answer["coins"]] == [row["id"] for row in found[:25]] != []


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("client", CLIENTS)
def test_every_path(source, client, path):
    check(path, plain(CLIENTS[client](source.url).calls()[path]()), source)


@pytest.mark.parametrize("client,variant", VARIANTS)
def test_what_else_clients_say(fixture, client, variant):
    assert CLIENTS[client](fixture.url).variants()[variant]()


def test_all_digits(source):
    """A client that reads decimals gets every digit that the source has."""
    with urllib.request.urlopen(f"{source.url}/api/v3/simple/price?ids=bitcoin,solana&vs_currencies=usd") as answer:
        prices = json.load(answer, parse_float=str, parse_int=str)
    assert prices == {coin: {"usd": source.prices["usd"][coin]["price"]} for coin in ("bitcoin", "solana")}
