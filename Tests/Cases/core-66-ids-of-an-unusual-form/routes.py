import coins

coins.COINS.update({"academy token": "acad", "BigCoin": "big"})
answer = coins.answer
