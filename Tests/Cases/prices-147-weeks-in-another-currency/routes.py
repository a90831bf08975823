import json


def answer(path, query, state):
    first, last = int(query["from"]), int(query["to"])
    days = [day for day in range(20458, 20470) if (day + 4) % 7 not in (0, 6)]
    return 200, {}, json.dumps([[day * 86400] for day in days if first <= day * 86400 <= last])
