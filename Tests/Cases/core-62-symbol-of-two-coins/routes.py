import coins

coins.COINS.update({"wool-token": "wool", "woolly": "wool", "lone": "one-of-its-own"})
answer = coins.answer
