# What each exchange answers for a pair; a state of words NAME=PRICE changes one of them, NAME=down closes it.
PRICES = {
    "north": {"BTCUSD": "96841.32", "ETHUSD": "3214.47", "USDTUSD": "0.9991"},
    "east": {"BTCUSD": "96850.1", "ETHUSD": "3215"},
    "south": {"BTCUSD": "96902", "ETHUSD": "3216.2"},
    "west": {"BTCUSDT": "96940.5", "ETHUSDT": "3218.05"},
}


def answer(path, query, state):
    house, pair = path.split("/")[1], query["pair"]
    says = dict(word.split("=") for word in state.split())
    if says.get(house) == "down":
        return 503, {}, "busy"
    price = PRICES[house].get(pair)
    if price is None:
        return 200, {}, '{"error": "unknown pair"}'
    if pair.startswith("BTC"):
        price = says.get(house, price)
    if "clock" in says:
        return 200, {}, '{"last": "%s"}' % price
    at = says.get(house + "-at", "2026-01-15T10:29:50Z")
    return 200, {}, '{"last": "%s", "open": "%s", "at": "%s"}' % (price, price, at)
