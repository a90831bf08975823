# What every command of a case may use; CASE is the folder of its source and of its server.
say() { echo "$1" > "$CASE/state"; }
requests() { cat "$CASE/requests"; : > "$CASE/requests"; }
hits() { grep -c "${1:-.}" "$CASE/requests"; : > "$CASE/requests"; }
serve() {
  rm -f "$CASE/address"
  bitpal serve --listen 127.0.0.1:0 "$@" > "$CASE/address" 2> "$CASE/serve.err" &
  echo $! > "$CASE/serve.pid"
  for _ in $(seq 200); do [ -s "$CASE/address" ] && break; sleep 0.05; done
}
unserve() {
  read -r server < "$CASE/serve.pid"; kill "$server"; rm "$CASE/serve.pid"
  while kill -0 "$server" 2> /dev/null; do sleep 0.05; done
}
forget() { bitpal cache clear --budgets > /dev/null; }
get() {
  read -r address < "$CASE/address"; path=$1; shift
  curl -gsS -o "$CASE/body" -w '%{http_code}\n' "$@" "$address$path"; cat "$CASE/body"; echo
}
