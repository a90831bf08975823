# Completion of bitpal for fish; made by "bitpal completion fish".

# What the tool has to offer for the word under the cursor.
function __bitpal_ask
    command bitpal generate $argv (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '.+') 2>/dev/null
end

# The words typed so far that are neither options nor their values.
function __bitpal_typed
    set -l is_value 0
    for token in (commandline -opc)[2..-1]
        if test $is_value = 1
            set is_value 0
            continue
        end
        switch $token
            case -c --config -p --provider --currency --format --errors --now --timeout --wait --tz --digits --color --sort --range --from --to --type --candle --svg --width --height --points --on --missing --for --limit --every --count --template --listen --token-file --host --record --ready-fd --price --date --fee --notes --portfolio --coin --amount --size --from-url --from-file --symbol --ask --header --post --plugin
                set is_value 1
            case '-*'
            case '*'
                echo -- $token
        end
    end
end

# Whether the words typed so far are these.
function __bitpal_in
    set -l typed (__bitpal_typed)
    set -l count (count $argv)
    test (count $typed) -ge $count; and test "$typed[1..$count]" = "$argv"
end

# Whether they are these and so many more.
function __bitpal_at
    set -l typed (__bitpal_typed)
    test (count $typed) = (math (count $argv) - 1 + $argv[1]); or return 1
    test (count $argv) = 1; or __bitpal_in $argv[2..-1]
end

complete -c bitpal -f

complete -c bitpal -n '__bitpal_at 0' -a price -d 'latest prices; of the watchlist, or the coins given'
complete -c bitpal -n '__bitpal_at 0' -a chart -d 'how a price moved, drawn or as numbers; several coins compared'
complete -c bitpal -n '__bitpal_at 0' -a coin -d 'market details of coins'
complete -c bitpal -n '__bitpal_at 0' -a history -d 'daily closes, for tables and plain-text accounting'
complete -c bitpal -n '__bitpal_at 0' -a convert -d 'what an amount comes to in another currency or coin'
complete -c bitpal -n '__bitpal_at 0' -a search -d 'find a coin by a part of its id, symbol or name'
complete -c bitpal -n '__bitpal_at 0' -a watchlist -d 'the coins you follow'
complete -c bitpal -n '__bitpal_at 0' -a watch -d 'prices that stay up to date; the watchlist, or the coins given'
complete -c bitpal -n '__bitpal_at 0' -a status -d 'one line for a status bar, from the cache at once'
complete -c bitpal -n '__bitpal_at 0' -a serve -d 'answer other programs over HTTP, also as CoinGecko\'s API does'
complete -c bitpal -n '__bitpal_at 0' -a buy -d 'record that coins were bought'
complete -c bitpal -n '__bitpal_at 0' -a sell -d 'record that coins were sold'
complete -c bitpal -n '__bitpal_at 0' -a portfolio -d 'what you own, and what it is worth'
complete -c bitpal -n '__bitpal_at 0' -a widget -d 'the portfolio in a few lines'
complete -c bitpal -n '__bitpal_at 0' -a record -d 'save what a command gets over the wire, to replay it offline'
complete -c bitpal -n '__bitpal_at 0' -a providers -d 'the sources prices can come from'
complete -c bitpal -n '__bitpal_at 0' -a cache -d 'the answers kept on this machine'
complete -c bitpal -n '__bitpal_at 0' -a config -d 'the settings'
complete -c bitpal -n '__bitpal_at 0' -a trust -d 'the folders whose settings are yours'
complete -c bitpal -n '__bitpal_at 0' -a doctor -d 'what is installed, in force, writable, reachable and sound'
complete -c bitpal -n '__bitpal_at 0' -a completion -d 'what a shell needs to complete commands, options and coins'
complete -c bitpal -n '__bitpal_at 0' -a help -d 'help on a command'

complete -c bitpal -n '__bitpal_at 0 watchlist' -a list -d 'the coins you follow, with their prices'
complete -c bitpal -n '__bitpal_at 0 watchlist' -a add -d 'follow coins'
complete -c bitpal -n '__bitpal_at 0 watchlist' -a remove -d 'follow coins no longer'
complete -c bitpal -n '__bitpal_at 0 watchlist' -a move -d 'put a coin in another place'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a summary -d 'what it is worth: totals and holdings'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a holdings -d 'what is held'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a closed -d 'what was sold to the last piece'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a transactions -d 'what was recorded'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a add -d 'record a transaction, as buy and sell do'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a edit -d 'change a transaction'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a remove -d 'remove a transaction'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a import -d 'add the transactions of a CSV file'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a export -d 'write all transactions to standard output'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a backup -d 'copy all portfolios and the watchlist to a file'
complete -c bitpal -n '__bitpal_at 0 portfolio' -a restore -d 'bring a backup back'
complete -c bitpal -n '__bitpal_at 0 widget' -a show -d 'draw the snapshot, without asking anybody'
complete -c bitpal -n '__bitpal_at 0 widget' -a write -d 'make a new snapshot at the latest prices'
complete -c bitpal -n '__bitpal_at 0 providers' -a list -d 'which there are and what they can do'
complete -c bitpal -n '__bitpal_at 0 providers' -a show -d 'everything in force of one, and where it comes from'
complete -c bitpal -n '__bitpal_at 0 providers' -a check -d 'read a provider file and run its examples, offline'
complete -c bitpal -n '__bitpal_at 0 providers' -a new -d 'write a provider file from one answer, or begin a plugin'
complete -c bitpal -n '__bitpal_at 0 cache' -a stats -d 'where it is and what is in it'
complete -c bitpal -n '__bitpal_at 0 cache' -a clear -d 'forget every answer; settings and data stay'
complete -c bitpal -n '__bitpal_at 0 config' -a show -d 'every value in force, and where it comes from'
complete -c bitpal -n '__bitpal_at 0 config' -a check -d 'read the settings and every provider file'
complete -c bitpal -n '__bitpal_at 0 config' -a path -d 'the settings file in force'
complete -c bitpal -n '__bitpal_at 0 config' -a init -d 'write a commented settings file to start from'
complete -c bitpal -n '__bitpal_at 0 config' -a alias -d 'add a short name for a coin to the settings, or remove one'
complete -c bitpal -n '__bitpal_at 0 trust' -a add -d 'take a folder\'s config.yaml and provider files for your own'
complete -c bitpal -n '__bitpal_at 0 trust' -a list -d 'the folders that are trusted, and which have changed'
complete -c bitpal -n '__bitpal_at 0 trust' -a remove -d 'trust a folder no longer'

complete -c bitpal -s c -l config -r -F -d 'settings file to use'
complete -c bitpal -s p -l provider -x -a '(__bitpal_ask providers)' -d 'source to ask, instead of the configured one'
complete -c bitpal -l currency -x -d 'currency of prices, such as usd or eur'
complete -c bitpal -l format -x -a 'table json jsonl csv' -d 'form of the output; table is for people'
complete -c bitpal -l errors -x -a 'text json' -d 'form of failures and warnings on standard error'
complete -c bitpal -l now -x -d 'take TIME for the time of day, such as 2025-01-15T10:30Z'
complete -c bitpal -l offline -d 'answer from the cache only, however old'
complete -c bitpal -l refresh -d 'ask the source even if the cache has an answer'
complete -c bitpal -l timeout -x -d 'longest wait for the network, 15s by default'
complete -c bitpal -l wait -x -d 'longest wait for a used-up request budget; 65s on a terminal, else 0s'
complete -c bitpal -l tz -x -d 'time zone of tables and days, such as Europe/Berlin; UTC by default'
complete -c bitpal -l digits -x -d 'decimals of prices, 0 to 18; as many as they have by default'
complete -c bitpal -l color -x -a 'auto always never' -d 'colour; auto is for terminals only'
complete -c bitpal -s q -l quiet -d 'no warnings, only errors'
complete -c bitpal -s v -l verbose -d 'tell on stderr how each answer came about'
complete -c bitpal -s h -l help -d 'show help'
complete -c bitpal -l version -d 'show the version'

complete -c bitpal -n '__bitpal_in price' -l sort -x -a 'name price change' -d 'order of the rows; as asked by default'
complete -c bitpal -n '__bitpal_in price' -l spark -d 'a column with the week\'s line of each coin'
complete -c bitpal -n '__bitpal_in price' -l ascii -d 'draw that column with plain characters only'
complete -c bitpal -n '__bitpal_in price' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in chart' -l range -x -a '(__bitpal_ask ranges)' -d 'window of time: 15M 1H 4H 1D 1W 1M 3M 6M YTD 1Y 5Y MAX, or one of the settings'
complete -c bitpal -n '__bitpal_in chart' -l from -x -d 'begin with a day, or an instant, instead of a range'
complete -c bitpal -n '__bitpal_in chart' -l to -x -d 'last day, or an instant; now by default'
complete -c bitpal -n '__bitpal_in chart' -l type -x -a 'line candle' -d 'prices, or open, high, low and close'
complete -c bitpal -n '__bitpal_in chart' -l candle -x -d 'draw candles so wide, such as 1h, 4h or 1d'
complete -c bitpal -n '__bitpal_in chart' -l svg -r -F -d 'write the picture as SVG; - for standard output'
complete -c bitpal -n '__bitpal_in chart' -l width -x -d 'columns, 20 to 300, the terminal\'s or 80 by default; of an SVG pixels, 320 to 4000'
complete -c bitpal -n '__bitpal_in chart' -l height -x -d 'rows of the plot, 3 to 100; of an SVG pixels, 200 to 4000'
complete -c bitpal -n '__bitpal_in chart' -l points -x -d 'at most so many points, in every format'
complete -c bitpal -n '__bitpal_in chart' -l ascii -d 'draw with plain characters only'
complete -c bitpal -n '__bitpal_in chart' -l rows -d 'a table of rows instead of a drawing'
complete -c bitpal -n '__bitpal_in chart' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in coin' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in history' -l on -x -d 'one day; yesterday when no day is given'
complete -c bitpal -n '__bitpal_in history' -l from -x -d 'first day'
complete -c bitpal -n '__bitpal_in history' -l to -x -d 'last day; yesterday by default'
complete -c bitpal -n '__bitpal_in history' -l missing -x -a 'tell skip' -d 'what is made of days without a price'
complete -c bitpal -n '__bitpal_in history' -l for -r -F -d 'the prices that a journal needs, instead of COIN'
complete -c bitpal -n '__bitpal_in history' -l format -x -a 'table json jsonl csv ledger hledger beancount' -d 'form of the output; the last three are price directives'
complete -c bitpal -n '__bitpal_in history' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in convert' -l on -x -d 'by the close of that day, in UTC'
complete -c bitpal -n '__bitpal_in search' -l limit -x -d 'at most so many coins, 50 by default'
complete -c bitpal -n '__bitpal_in watchlist list' -l sort -x -a 'name price change added' -d 'order of the rows'
complete -c bitpal -n '__bitpal_in watchlist add' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in watchlist remove' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_at 0 watchlist move' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in watch' -l every -x -d 'time between two updates, at least 10s; that of the settings else'
complete -c bitpal -n '__bitpal_in watch' -l sort -x -a 'name price change' -d 'order of the rows; as listed by default'
complete -c bitpal -n '__bitpal_in watch' -l count -x -d 'end after so many updates'
complete -c bitpal -n '__bitpal_in watch' -l spark -d 'a column with the week\'s line, as far as it is cached'
complete -c bitpal -n '__bitpal_in watch' -l ascii -d 'draw that column with plain characters only'
complete -c bitpal -n '__bitpal_in watch' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in status' -l template -x -d 'what is shown of each coin; {symbol} {price} {change} by default'
complete -c bitpal -n '__bitpal_in status' -l format -x -a 'table json jsonl csv waybar' -d 'form of the output; the last one is for waybar'
complete -c bitpal -n '__bitpal_in status' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in serve' -l listen -x -d 'where to listen, 127.0.0.1:8642 else; port 0: any'
complete -c bitpal -n '__bitpal_in serve' -l token-file -r -F -d 'file with the token that clients must bring'
complete -c bitpal -n '__bitpal_in serve' -l host -x -d 'names it goes by besides localhost, with commas'
complete -c bitpal -n '__bitpal_in serve' -l record -x -d 'keep what the sources answer as the recording NAME'
complete -c bitpal -n '__bitpal_in serve' -l ready-fd -x -d 'write the address to that descriptor too'
complete -c bitpal -n '__bitpal_in buy' -l price -x -d 'what one coin cost; without it the latest price is asked for and shown'
complete -c bitpal -n '__bitpal_in buy' -l date -x -d 'when, such as 2025-01-15 or 2025-01-15T10:30Z'
complete -c bitpal -n '__bitpal_in buy' -l fee -x -d 'what the exchange took; kept apart from cost and gain'
complete -c bitpal -n '__bitpal_in buy' -l notes -x -d 'anything worth remembering'
complete -c bitpal -n '__bitpal_in buy' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in buy' -l dry-run -d 'check and show everything, store nothing'
complete -c bitpal -n '__bitpal_at 1 buy' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in sell' -l price -x -d 'what one coin cost; without it the latest price is asked for and shown'
complete -c bitpal -n '__bitpal_in sell' -l date -x -d 'when, such as 2025-01-15 or 2025-01-15T10:30Z'
complete -c bitpal -n '__bitpal_in sell' -l fee -x -d 'what the exchange took; kept apart from cost and gain'
complete -c bitpal -n '__bitpal_in sell' -l notes -x -d 'anything worth remembering'
complete -c bitpal -n '__bitpal_in sell' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in sell' -l dry-run -d 'check and show everything, store nothing'
complete -c bitpal -n '__bitpal_at 1 sell' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in portfolio summary' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in portfolio holdings' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in portfolio closed' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in portfolio transactions' -l coin -x -a '(__bitpal_ask coins)' -d 'only those of one coin'
complete -c bitpal -n '__bitpal_in portfolio transactions' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in portfolio add' -l price -x -d 'what one coin cost; without it the latest price is asked for and shown'
complete -c bitpal -n '__bitpal_in portfolio add' -l date -x -d 'when, such as 2025-01-15 or 2025-01-15T10:30Z'
complete -c bitpal -n '__bitpal_in portfolio add' -l fee -x -d 'what the exchange took; kept apart from cost and gain'
complete -c bitpal -n '__bitpal_in portfolio add' -l notes -x -d 'anything worth remembering'
complete -c bitpal -n '__bitpal_in portfolio add' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in portfolio add' -l dry-run -d 'check and show everything, store nothing'
complete -c bitpal -n '__bitpal_at 0 portfolio add' -a 'buy sell'
complete -c bitpal -n '__bitpal_at 2 portfolio add' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in portfolio edit' -l amount -x -d 'how many coins'
complete -c bitpal -n '__bitpal_in portfolio edit' -l price -x -d 'what one coin cost'
complete -c bitpal -n '__bitpal_in portfolio edit' -l fee -x -d 'what the exchange took; kept apart from cost and gain'
complete -c bitpal -n '__bitpal_in portfolio edit' -l date -x -d 'when, such as 2025-01-15 or 2025-01-15T10:30Z'
complete -c bitpal -n '__bitpal_in portfolio edit' -l notes -x -d 'anything worth remembering; - removes them'
complete -c bitpal -n '__bitpal_in portfolio edit' -l type -x -a 'buy sell' -d 'which way it went'
complete -c bitpal -n '__bitpal_in portfolio edit' -l coin -x -a '(__bitpal_ask coins)' -d 'another coin'
complete -c bitpal -n '__bitpal_in portfolio edit' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in portfolio edit' -l dry-run -d 'check and show everything, store nothing'
complete -c bitpal -n '__bitpal_in portfolio remove' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in portfolio remove' -l dry-run -d 'check and show everything, store nothing'
complete -c bitpal -n '__bitpal_in portfolio import' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in portfolio import' -l dry-run -d 'check and show everything, store nothing'
complete -c bitpal -n '__bitpal_at 0 portfolio import' -F
complete -c bitpal -n '__bitpal_in portfolio export' -l format -x -a 'csv hledger ledger beancount' -d 'csv by default, or a journal of that program'
complete -c bitpal -n '__bitpal_in portfolio export' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_at 0 portfolio backup' -F
complete -c bitpal -n '__bitpal_at 0 portfolio restore' -F
complete -c bitpal -n '__bitpal_in widget show' -l size -x -a 'small medium large' -d 'value and gain; and 2 holdings; and 5'
complete -c bitpal -n '__bitpal_in widget show' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in widget write' -l size -x -a 'small medium large' -d 'value and gain; and 2 holdings; and 5'
complete -c bitpal -n '__bitpal_in widget write' -l portfolio -x -d 'which portfolio; main by default'
complete -c bitpal -n '__bitpal_in record' -l append -d 'add to a recording that is there'
complete -c bitpal -n '__bitpal_in record' -l replace -d 'record anew over a recording that is there'
complete -c bitpal -n '__bitpal_in record' -l check -d 'ask again and tell what changed in shape; nothing is written'
complete -c bitpal -n '__bitpal_in record' -l accept -d 'take over bodies that were changed by hand'
complete -c bitpal -n '__bitpal_at 0 providers show' -a '(__bitpal_ask providers)'
complete -c bitpal -n '__bitpal_at 0 providers check' -a '(__bitpal_ask providers)'
complete -c bitpal -n '__bitpal_in providers new' -l from-url -x -d 'where the answer comes from; fetched unless --from-file has it'
complete -c bitpal -n '__bitpal_in providers new' -l from-file -r -F -d 'the answer as it came; - for standard input'
complete -c bitpal -n '__bitpal_in providers new' -l coin -x -a '(__bitpal_ask coins)' -d 'the coin that was asked for, bitcoin by default'
complete -c bitpal -n '__bitpal_in providers new' -l symbol -x -d 'its ticker, BTC by default'
complete -c bitpal -n '__bitpal_in providers new' -l ask -x -a 'quotes line candles' -d 'what the answer is taken for; found out by default'
complete -c bitpal -n '__bitpal_in providers new' -l add -d 'add the operation to the file of NAME, which is there already'
complete -c bitpal -n '__bitpal_in providers new' -l header -x -d 'send a header with the request; may be given again, a key is never written'
complete -c bitpal -n '__bitpal_in providers new' -l post -x -d 'the answer is that to a POST which sent this'
complete -c bitpal -n '__bitpal_in providers new' -l plugin -x -a 'python sh perl' -d 'begin a program that speaks for the source, and its provider file'
complete -c bitpal -n '__bitpal_at 0 providers new' -a '(__bitpal_ask providers)'
complete -c bitpal -n '__bitpal_in cache clear' -l budgets -d 'forget instead how many requests were made, and the pauses sources asked for'
complete -c bitpal -n '__bitpal_in config alias' -l remove -d 'take the alias NAME out instead'
complete -c bitpal -n '__bitpal_at 0 config alias' -a '(__bitpal_ask providers)'
complete -c bitpal -n '__bitpal_in config alias' -a '(__bitpal_ask coins)'
complete -c bitpal -n '__bitpal_in trust add' -l dry-run -d 'show what would be trusted, and what that would start; trust nothing'
complete -c bitpal -n '__bitpal_at 0 trust add' -F
complete -c bitpal -n '__bitpal_at 0 trust remove' -F
complete -c bitpal -n '__bitpal_at 0 completion' -a 'bash zsh fish'
