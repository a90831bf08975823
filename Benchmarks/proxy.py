"""A proxy of the usual make before a CoinGecko API: WSGI, requests, requests-cache. For gunicorn: proxy:app

It answers a request from its cache, else passes it on to UPSTREAM and keeps the answer for a minute.
"""
import os

import requests_cache

session = requests_cache.CachedSession(backend="memory", expire_after=60)


def app(environ, start_response):
    answer = session.get(os.environ["UPSTREAM"] + environ["PATH_INFO"] + "?" + environ["QUERY_STRING"])
    body = answer.content
    start_response(f"{answer.status_code} {answer.reason}",
                   [("Content-Type", answer.headers["Content-Type"]), ("Content-Length", str(len(body)))])
    return [body]
