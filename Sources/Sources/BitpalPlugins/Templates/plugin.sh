#!/bin/sh
# A plugin for NAME: it plans requests and reads the responses. It sends no requests itself. See docs/plugins.md.
# One jq reads a message and writes the answer to it, over and over. Where it meets what it does not expect it must
# answer all the same, so what comes from outside is read with "try". jq before 1.7 rounds long numbers, not texts.
exec jq --unbuffered -c '
  def hello: {
    bitpal: 1, id: "NAME", name: "NAME",
    answers: ["quotes"]
  };
  def plan: {requests: [{
    url: "https://HOST/price?symbol=\(.symbols[0] | ascii_upcase | @uri)&currency=\(.currency | ascii_upcase)"
  }]};
  def parse:
    .coins[0] as $coin | (.responses[0].body // "" | try fromjson catch null) as $body
    | if ($body | type) != "object" then {error: {code: "unreadable", message: "the answer is no JSON object"}}
      elif $body.error then {error: {code: "not_found", message: ($body.error | tostring)}}
      else {rows: [{id: $coin, price: $body.price, time: $body.time}]} end;
  if .hello then hello elif .plan then (.plan | plan) else (.parse | parse) end'
