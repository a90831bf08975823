def answer(path, query, state):
    if state == "page":
        return 404, {"Content-Type": "text/html"}, "<html><body><h1>Not Found</h1></body></html>"
    if state == "words":
        return 404, {"Content-Type": "text/plain"}, "404 page not found\n"
    if state == "json":
        return 404, {}, '{"message": "unknown asset"}'
    return 200, {}, '{"p": 7}'
