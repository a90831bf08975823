# Completion of bitpal for bash; made by "bitpal completion bash".

_bitpal_ask() {
  local word rest
  while IFS=$'\t' read -r word rest; do
    [[ $word == "$2"* ]] || continue
    printf -v word %q "$word"
    COMPREPLY+=("$word")
  done < <(command bitpal generate "$1" ${2:+"$2"} 2>/dev/null)
}

_bitpal_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_bitpal_files() {
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_bitpal() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} word command count i
  local -a typed=()
  COMPREPLY=()
  # bash splits --option=value into three words.
  [[ $cur == "=" ]] && cur=
  [[ $prev == "=" ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in
      --) return ;;
      -c | --config | -p | --provider | --currency | --format | --errors | --now | --timeout | --wait | --tz | --digits | --color | --sort | --range | --from | --to | --type | --candle | --svg | --width | --height | --points | --on | --missing | --for | --commodity | --limit | --every | --count | --template | --listen | --token-file | --host | --max-stale | --record | --ready-fd | --portfolio | --price | --total | --date | --fee | --notes | --label | --coin | --year | --method | --amount | --as | --dates | --decimal | --map | --value | --account | --size | --from-url | --from-file | --symbol | --ask | --header | --post | --plugin)
        [[ ${COMP_WORDS[i + 1]} == "=" ]] && ((i++))
        ((i++))
        ;;
      -* | =) ;;
      *) typed+=("$word") ;;
    esac
  done
  command=${typed[0]}
  count=$((${#typed[@]} - 1))
  case $command in
    watchlist | portfolio | widget | providers | imports | cache | config | trust)
      if ((count > 0)); then
        command+=" ${typed[1]}"
        ((count--))
      fi
      ;;
  esac
  case "$command $prev" in
    "price"" --sort") _bitpal_words "name price change" "$cur"; return ;;
    "chart"" --range") _bitpal_ask ranges "$cur"; return ;;
    "chart"" --from") :; return ;;
    "chart"" --to") :; return ;;
    "chart"" --type") _bitpal_words "line candle" "$cur"; return ;;
    "chart"" --candle") :; return ;;
    "chart"" --svg") _bitpal_files "$cur"; return ;;
    "chart"" --width") :; return ;;
    "chart"" --height") :; return ;;
    "chart"" --points") :; return ;;
    "history"" --on") :; return ;;
    "history"" --from") :; return ;;
    "history"" --to") :; return ;;
    "history"" --missing") _bitpal_words "tell skip" "$cur"; return ;;
    "history"" --for") _bitpal_files "$cur"; return ;;
    "history"" --format") _bitpal_words "table json jsonl csv ledger hledger beancount" "$cur"; return ;;
    "history"" --commodity") _bitpal_words "symbol id" "$cur"; return ;;
    "convert"" --on") :; return ;;
    "search"" --limit") :; return ;;
    "watchlist list"" --sort") _bitpal_words "name price change added" "$cur"; return ;;
    "watch"" --every") :; return ;;
    "watch"" --sort") _bitpal_words "name price change" "$cur"; return ;;
    "watch"" --count") :; return ;;
    "status"" --template") :; return ;;
    "status"" --format") _bitpal_words "table json jsonl csv waybar" "$cur"; return ;;
    "serve"" --listen") :; return ;;
    "serve"" --token-file") _bitpal_files "$cur"; return ;;
    "serve"" --host") :; return ;;
    "serve"" --max-stale") :; return ;;
    "serve"" --record") :; return ;;
    "serve"" --ready-fd") :; return ;;
    "serve"" --portfolio") :; return ;;
    "buy"" --price") :; return ;;
    "buy"" --total") :; return ;;
    "buy"" --date") :; return ;;
    "buy"" --fee") :; return ;;
    "buy"" --notes") :; return ;;
    "buy"" --portfolio") :; return ;;
    "sell"" --price") :; return ;;
    "sell"" --total") :; return ;;
    "sell"" --date") :; return ;;
    "sell"" --fee") :; return ;;
    "sell"" --notes") :; return ;;
    "sell"" --portfolio") :; return ;;
    "receive"" --label") _bitpal_words "reward airdrop gift interest transfer" "$cur"; return ;;
    "receive"" --price") :; return ;;
    "receive"" --total") :; return ;;
    "receive"" --date") :; return ;;
    "receive"" --fee") :; return ;;
    "receive"" --notes") :; return ;;
    "receive"" --portfolio") :; return ;;
    "send"" --label") _bitpal_words "fee gift transfer" "$cur"; return ;;
    "send"" --price") :; return ;;
    "send"" --total") :; return ;;
    "send"" --date") :; return ;;
    "send"" --fee") :; return ;;
    "send"" --notes") :; return ;;
    "send"" --portfolio") :; return ;;
    "swap"" --total") :; return ;;
    "swap"" --date") :; return ;;
    "swap"" --fee") :; return ;;
    "swap"" --notes") :; return ;;
    "swap"" --portfolio") :; return ;;
    "portfolio summary"" --portfolio") :; return ;;
    "portfolio holdings"" --portfolio") :; return ;;
    "portfolio closed"" --portfolio") :; return ;;
    "portfolio transactions"" --coin") _bitpal_ask coins "$cur"; return ;;
    "portfolio transactions"" --portfolio") :; return ;;
    "portfolio chart"" --range") _bitpal_ask ranges "$cur"; return ;;
    "portfolio chart"" --from") :; return ;;
    "portfolio chart"" --to") :; return ;;
    "portfolio chart"" --portfolio") :; return ;;
    "portfolio chart"" --svg") _bitpal_files "$cur"; return ;;
    "portfolio chart"" --width") :; return ;;
    "portfolio chart"" --height") :; return ;;
    "portfolio chart"" --points") :; return ;;
    "portfolio returns"" --range") _bitpal_ask ranges "$cur"; return ;;
    "portfolio returns"" --from") :; return ;;
    "portfolio returns"" --to") :; return ;;
    "portfolio returns"" --portfolio") :; return ;;
    "portfolio gains"" --year") :; return ;;
    "portfolio gains"" --method") _bitpal_words "average fifo lifo hifo" "$cur"; return ;;
    "portfolio gains"" --portfolio") :; return ;;
    "portfolio lots"" --method") _bitpal_words "average fifo lifo hifo" "$cur"; return ;;
    "portfolio lots"" --portfolio") :; return ;;
    "portfolio method"" --portfolio") :; return ;;
    "portfolio add"" --label") :; return ;;
    "portfolio add"" --price") :; return ;;
    "portfolio add"" --total") :; return ;;
    "portfolio add"" --date") :; return ;;
    "portfolio add"" --fee") :; return ;;
    "portfolio add"" --notes") :; return ;;
    "portfolio add"" --portfolio") :; return ;;
    "portfolio edit"" --amount") :; return ;;
    "portfolio edit"" --price") :; return ;;
    "portfolio edit"" --fee") :; return ;;
    "portfolio edit"" --date") :; return ;;
    "portfolio edit"" --notes") :; return ;;
    "portfolio edit"" --label") :; return ;;
    "portfolio edit"" --type") _bitpal_words "buy sell receive send" "$cur"; return ;;
    "portfolio edit"" --coin") _bitpal_ask coins "$cur"; return ;;
    "portfolio edit"" --portfolio") :; return ;;
    "portfolio remove"" --portfolio") :; return ;;
    "portfolio undo"" --portfolio") :; return ;;
    "portfolio import"" --portfolio") :; return ;;
    "portfolio import"" --as") :; return ;;
    "portfolio import"" --dates") _bitpal_words "dmy mdy ymd" "$cur"; return ;;
    "portfolio import"" --decimal") _bitpal_words "point comma" "$cur"; return ;;
    "portfolio import"" --map") :; return ;;
    "portfolio import"" --value") :; return ;;
    "portfolio export"" --format") _bitpal_words "csv hledger ledger beancount" "$cur"; return ;;
    "portfolio export"" --commodity") _bitpal_words "symbol id" "$cur"; return ;;
    "portfolio export"" --account") :; return ;;
    "portfolio export"" --portfolio") :; return ;;
    "widget show"" --size") _bitpal_words "small medium large" "$cur"; return ;;
    "widget show"" --portfolio") :; return ;;
    "widget write"" --size") _bitpal_words "small medium large" "$cur"; return ;;
    "widget write"" --portfolio") :; return ;;
    "providers new"" --from-url") :; return ;;
    "providers new"" --from-file") _bitpal_files "$cur"; return ;;
    "providers new"" --coin") _bitpal_ask coins "$cur"; return ;;
    "providers new"" --symbol") :; return ;;
    "providers new"" --ask") _bitpal_words "quotes line candles" "$cur"; return ;;
    "providers new"" --header") :; return ;;
    "providers new"" --post") :; return ;;
    "providers new"" --plugin") _bitpal_words "python sh perl" "$cur"; return ;;
    *" -c" | *" --config") _bitpal_files "$cur"; return ;;
    *" -p" | *" --provider") _bitpal_ask providers "$cur"; return ;;
    *" --currency") :; return ;;
    *" --format") _bitpal_words "table json jsonl csv" "$cur"; return ;;
    *" --errors") _bitpal_words "text json" "$cur"; return ;;
    *" --now") :; return ;;
    *" --timeout") :; return ;;
    *" --wait") :; return ;;
    *" --tz") :; return ;;
    *" --digits") :; return ;;
    *" --color") _bitpal_words "auto always never" "$cur"; return ;;
  esac
  if [[ $cur == -* ]]; then
    case $command in
      "price") _bitpal_words "--sort --spark --ascii --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "chart") _bitpal_words "--range --from --to --type --candle --svg --width --height --points --ascii --rows --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "history") _bitpal_words "--on --from --to --missing --ohlc --for --format --commodity --config --provider --currency --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "convert") _bitpal_words "--on --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "search") _bitpal_words "--limit --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "watchlist list") _bitpal_words "--sort --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "watch") _bitpal_words "--every --sort --count --spark --ascii --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "status") _bitpal_words "--template --format --config --provider --currency --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "serve") _bitpal_words "--listen --token-file --host --max-stale --record --ready-fd --portfolio --open --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "buy") _bitpal_words "--price --total --date --fee --notes --portfolio --create --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "sell") _bitpal_words "--price --total --date --fee --notes --portfolio --create --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "receive") _bitpal_words "--label --price --total --date --fee --notes --portfolio --create --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "send") _bitpal_words "--label --price --total --date --fee --notes --portfolio --create --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "swap") _bitpal_words "--total --date --fee --notes --portfolio --create --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio summary") _bitpal_words "--portfolio --all --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio holdings") _bitpal_words "--portfolio --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio closed") _bitpal_words "--portfolio --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio transactions") _bitpal_words "--coin --portfolio --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio chart") _bitpal_words "--range --from --to --portfolio --svg --width --height --points --ascii --rows --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio returns") _bitpal_words "--range --from --to --portfolio --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio gains") _bitpal_words "--year --method --portfolio --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio lots") _bitpal_words "--method --portfolio --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio method") _bitpal_words "--portfolio --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio add") _bitpal_words "--label --price --total --date --fee --notes --portfolio --create --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio edit") _bitpal_words "--amount --price --fee --date --notes --label --type --coin --portfolio --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio remove") _bitpal_words "--portfolio --yes --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio undo") _bitpal_words "--portfolio --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio delete") _bitpal_words "--yes --dry-run --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio import") _bitpal_words "--portfolio --create --dry-run --as --dates --decimal --map --value --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "portfolio export") _bitpal_words "--format --commodity --account --portfolio --config --provider --currency --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "widget show") _bitpal_words "--size --portfolio --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "widget write") _bitpal_words "--size --portfolio --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "record") _bitpal_words "--append --replace --check --accept --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "providers new") _bitpal_words "--from-url --from-file --coin --symbol --ask --add --header --post --plugin --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "cache clear") _bitpal_words "--budgets --fleet --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "config alias") _bitpal_words "--remove --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      "trust add") _bitpal_words "--dry-run --allow-code --config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
      *) _bitpal_words "--config --provider --currency --format --errors --now --offline --refresh --timeout --wait --tz --digits --color --quiet --verbose --help --version" "$cur" ;;
    esac
    return
  fi
  if ((${#typed[@]} == 0)); then
    _bitpal_words "price chart coin history convert search watchlist watch status serve buy sell receive send swap portfolio widget record providers imports cache config trust doctor completion help" "$cur"
    return
  fi
  case "$command $count" in
    "watchlist 0") _bitpal_words "list add remove move" "$cur" ;;
    "portfolio 0") _bitpal_words "summary holdings closed transactions chart returns gains lots method add edit remove undo list rename delete import export backup restore" "$cur" ;;
    "widget 0") _bitpal_words "show write" "$cur" ;;
    "providers 0") _bitpal_words "list show check new" "$cur" ;;
    "imports 0") _bitpal_words "list check new" "$cur" ;;
    "cache 0") _bitpal_words "stats clear" "$cur" ;;
    "config 0") _bitpal_words "show check path init alias" "$cur" ;;
    "trust 0") _bitpal_words "add list remove" "$cur" ;;
    "help 0") _bitpal_words "price chart coin history convert search watchlist watch status serve buy sell receive send swap portfolio widget record providers imports cache config trust doctor completion help" "$cur" ;;
    "price "*) _bitpal_ask coins "$cur" ;;
    "chart "*) _bitpal_ask coins "$cur" ;;
    "coin "*) _bitpal_ask coins "$cur" ;;
    "history "*) _bitpal_ask coins "$cur" ;;
    "watchlist add "*) _bitpal_ask coins "$cur" ;;
    "watchlist remove "*) _bitpal_ask coins "$cur" ;;
    "watchlist move 0") _bitpal_ask coins "$cur" ;;
    "watch "*) _bitpal_ask coins "$cur" ;;
    "status "*) _bitpal_ask coins "$cur" ;;
    "buy 1") _bitpal_ask coins "$cur" ;;
    "sell 1") _bitpal_ask coins "$cur" ;;
    "receive 1") _bitpal_ask coins "$cur" ;;
    "send 1") _bitpal_ask coins "$cur" ;;
    "swap 1") _bitpal_ask coins "$cur" ;;
    "swap 3") _bitpal_ask coins "$cur" ;;
    "portfolio add 0") _bitpal_words "buy sell receive send" "$cur" ;;
    "portfolio add 2") _bitpal_ask coins "$cur" ;;
    "portfolio delete 0") _bitpal_ask providers "$cur" ;;
    "portfolio import 0") _bitpal_files "$cur" ;;
    "portfolio backup 0") _bitpal_files "$cur" ;;
    "portfolio restore 0") _bitpal_files "$cur" ;;
    "providers show 0") _bitpal_ask providers "$cur" ;;
    "providers check 0") _bitpal_ask providers "$cur" ;;
    "providers new 0") _bitpal_ask providers "$cur" ;;
    "imports check 0") _bitpal_ask providers "$cur" ;;
    "imports new 0") _bitpal_ask providers "$cur" ;;
    "imports new 1") _bitpal_files "$cur" ;;
    "config alias 0") _bitpal_ask providers "$cur" ;;
    "config alias "*) _bitpal_ask coins "$cur" ;;
    "trust add 0") _bitpal_files "$cur" ;;
    "trust remove 0") _bitpal_files "$cur" ;;
    "completion 0") _bitpal_words "bash zsh fish" "$cur" ;;
  esac
}

complete -F _bitpal bitpal
