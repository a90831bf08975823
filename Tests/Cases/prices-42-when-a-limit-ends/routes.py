import time
from email.utils import formatdate

JSON = '{"error":"too many requests"}'


def answer(path, query, state):
    now = int(time.time())
    end = now + 40
    utc = time.gmtime(end)
    status, headers, body = {
        "seconds": (429, {"Retry-After": "40"}, JSON),
        "fraction": (429, {"Retry-After": "40.2"}, JSON),
        "date": (429, {"Retry-After": formatdate(end, usegmt=True)}, JSON),
        "instant": (429, {"Retry-After": str(end)}, JSON),
        "milliseconds": (429, {"x-rate-limit-retry-after-milliseconds": "40000"}, JSON),
        "azure": (429, {"retry-after-ms": "40000"}, JSON),
        "coingecko": (429, {"x-ratelimit-reset": time.strftime("%Y-%m-%d %H:%M:%S +0000", utc)}, JSON),
        "github": (429, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(end)}, JSON),
        "bybit": (429, {"X-Bapi-Limit-Reset-Timestamp": str(end * 1000)}, JSON),
        "kucoin": (429, {"gw-ratelimit-limit": "500", "gw-ratelimit-remaining": "0", "gw-ratelimit-reset": "40000"}, JSON),
        "gate": (429, {"X-Gate-RateLimit-Requests-Remain": "0", "X-Gate-RateLimit-Reset-Timestamp": str(end)}, JSON),
        "cryptocompare": (429, {"X-RateLimit-Reset": "40, 40;window=60, 9;window=1"}, JSON),
        "discord": (429, {"X-RateLimit-Reset": f"{end}.700", "X-RateLimit-Reset-After": "40.000", "Retry-After": "40"}, JSON),
        "discord-body": (429, {}, '{"message": "You are being rate limited.", "retry_after": 40.0, "global": false}'),
        "openai": (429, {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "40s",
                         "x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "6m0s"}, JSON),
        "rapidapi": (429, {"x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": "40"}, JSON),
        "javascript": (429, {"X-RateLimit-Reset": time.strftime("%a %b %d %Y %H:%M:%S GMT+0100 (Central European Standard Time)",
                                                               time.gmtime(end + 3600))}, JSON),
        "draft": (429, {"RateLimit": '"burst";r=9;t=3, "day";r=0;t=40'}, JSON),
        "old-draft": (429, {"RateLimit": "limit=100, remaining=0, reset=40"}, JSON),
        "words": (429, {}, "Rate limit exceeded. Please try again in 40 seconds."),
        "unavailable": (503, {"Retry-After": "40"}, "down for maintenance"),
        "zero": (429, {"Retry-After": "0"}, JSON),
        "past": (429, {"X-RateLimit-Reset": str(now - 5)}, JSON),
        "none": (429, {}, JSON)}[path[1:]]
    return status, {**headers, "Date": formatdate(now, usegmt=True)}, body
