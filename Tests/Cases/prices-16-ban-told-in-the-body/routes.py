import time


def answer(path, query, state):
    until = int((time.time() + 2 * 3600 + 30) * 1000)
    return 418, {}, '{"code":-1003,"msg":"Way too much request weight used; IP banned until %d. Please use WebSocket Streams."}' % until
