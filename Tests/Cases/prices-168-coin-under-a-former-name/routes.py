from coingecko import answer
