#!/bin/sh
# CoinCap, in jq alone: it reads a message and writes the answer to it, over and over. The host fills in {key}.
exec jq --unbuffered -c '
  def seconds: sub("\\.[0-9]+Z$"; "Z") | fromdate;
  def window: if .from then (.from | seconds) as $from | (.to | seconds) as $to
    | "interval=\(if $to - $from > 2592000 then "d1" else "h1" end)&start=\($from)000&end=\($to)000" else "interval=d1" end;
  def path: if .ask == "quotes" then "?ids=" + (.coins | map(@uri) | join(",")) else "/\(.coin | @uri)/history?\(window)" end;
  def data: [.responses[0].body // "" | try fromjson catch null | .data? | arrays][0];
  def row: if .date then {time: .date, price: .priceUsd}
    else {id, symbol, name, price: .priceUsd, change_24h: .changePercent24Hr} end;
  if .hello then {bitpal: 1, id: "coincap", name: "CoinCap", answers: ["quotes", "line"], currencies: ["usd"], batch: 100}
  elif .plan then {requests: [{url: ("https://rest.coincap.io/v3/assets" + (.plan | path)), headers: {Authorization: "Bearer {key}"}}]}
  elif .parse | data then {rows: [.parse | data[] | objects | row]}
  else {error: {code: "unreadable", message: "there is no data in the answer"}} end'
