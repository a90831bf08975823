"""Runs a peer whose source is a server on this machine; the peer's own files are unchanged.

    peer.py versions
    peer.py URL pricehist WORD...        the tool, with these arguments
    peer.py URL bean-price WORD...       the tool, with these arguments
    peer.py URL pycoingecko COIN...      a program of four lines that prints prices
    peer.py URL pycoingecko-cached FILE COIN...     the same with requests-cache in front
"""

import sys


def versions():
    from importlib.metadata import version

    names = ["pricehist", "beanprice", "pycoingecko", "requests-cache"]
    print("Python " + sys.version.split()[0], *(f"{name} {version(name)}" for name in names), sep=", ")


def pricehist(url, words):
    """Its sources have their addresses in the middle of functions, so the call that fetches them is led elsewhere."""
    import requests

    get = requests.get
    requests.get = lambda address, **options: get(address.replace("https://api.pro.coinbase.com", url), **options)
    from pricehist.cli import cli

    cli(["pricehist", *words])


def bean_price(url, words):
    """The address of its CoinCap source is a variable of the module."""
    from beanprice import price
    from beanprice.sources import coincap

    coincap.API_BASE_URL = url + "/coincap/"
    sys.argv = ["bean-price", *words]
    price.main()


def pycoingecko(url, coins):
    """Its address is an attribute."""
    from pycoingecko import CoinGeckoAPI

    api = CoinGeckoAPI()
    api.api_base_url = url + "/"
    for coin in api.get_coins_markets(vs_currency="usd", ids=",".join(coins)):
        print(coin["name"], coin["current_price"], coin["price_change_percentage_24h"])


def main():
    if sys.argv[1] == "versions":
        return versions()
    url, peer, *words = sys.argv[1:]
    if peer == "pycoingecko-cached":
        import requests_cache

        requests_cache.install_cache(words[0], backend="sqlite", expire_after=3600)
        return pycoingecko(url, words[1:])
    {"pricehist": pricehist, "bean-price": bean_price, "pycoingecko": pycoingecko}[peer](url, words)


main()
