/// A small program and its provider file as the start of a new plugin; both are about a source that does not exist.
package struct PluginTemplate: Sendable {
  /// The languages that have a template.
  package enum Language: String, CaseIterable, Sendable {
    case python
    case sh
    case perl
  }

  /// The program's text.
  package let program: String

  /// The name of its file.
  package let programFile: String

  /// The provider file's text.
  package let providerFile: String

  /// - Parameters:
  ///   - id: The id of the provider: small letters, digits, `-` and `_`.
  ///   - language: The language of the program.
  package init(id: String, in language: Language) {
    let host = "api.\(id.replacing("_", with: "-")).example"
    func filled(_ text: String) -> String { text.replacing("NAME", with: id).replacing("HOST", with: host) }
    let command: String
    switch language {
    case .python:
      programFile = "\(id).py"
      // In isolated mode (-I) a file beside the program cannot shadow a module of Python's library.
      command = "[python3, -I, \(programFile)]"
      program = filled(Self.python)
    case .sh:
      programFile = "\(id).sh"
      command = "[sh, \(programFile)]"
      program = filled(Self.sh)
    case .perl:
      programFile = "\(id).pl"
      command = "[perl, \(programFile)]"
      program = filled(Self.perl)
    }
    providerFile = filled(Self.provider.replacing("COMMAND", with: command).replacing("PROGRAM", with: programFile))
  }

  private static let provider = """
    # NAME, spoken for by PROGRAM: that says what to ask, bitpal asks, and that reads the answer. See docs/plugins.md.
    id: NAME
    name: NAME
    kind: plugin
    command: COMMAND

    # The hosts that its requests may go to; no other is asked.
    hosts: [HOST]

    # The source's tickers, by the ids of coins; of well-known ones they are known anyway.
    symbols: { bitcoin: BTC, ethereum: ETH }

    # For a source that wants a key: the variable that holds it, and who may have it. In a request {key} stands for it.
    # key_env: API_KEY
    # key_hosts: [HOST]

    # Answers as the source sends them, and what must come out: "bitpal providers check NAME" runs them, offline.
    examples:
      - ask: quotes
        coin: bitcoin
        url: https://HOST/price?symbol=BTC&currency=USD
        body: '{"price": "96841.3300", "time": "2025-01-15T10:29:43Z"}'
        rows: [{ id: bitcoin, price: 96841.33, time: 2025-01-15T10:29:43Z }]
      - ask: quotes
        coin: ethereum
        body: '{"price": "3214.47", "time": "2025-01-15T10:29:57Z"}'
        rows: [{ id: ethereum, price: 3214.47, time: 2025-01-15T10:29:57Z }]
      - ask: quotes
        coin: nonesuch
        body: '{"error": "unknown symbol"}'
        error: not_found
      - ask: quotes
        coin: bitcoin
        body: '<html>Back at noon</html>'
        error: unreadable

    """

  private static let python = """
    #!/usr/bin/env python3
    # A plugin for NAME: it plans requests and reads the responses. It sends no requests itself. See docs/plugins.md.
    from json import dumps, loads
    from sys import stdin
    from urllib.parse import urlencode

    HELLO = {
        "bitpal": 1,
        "id": "NAME",
        "name": "NAME",
        "answers": ["quotes"],  # and coin_list, detail, line, candles
    }


    def plan(ask):
        query = urlencode({"symbol": ask["symbols"][0].upper(), "currency": ask["currency"].upper()})
        return {"requests": [{"url": "https://HOST/price?" + query}]}


    def parse(ask):
        # Numbers stay the texts that they are, with all their digits.
        body = loads(ask["responses"][0]["body"], parse_float=str, parse_int=str)
        if "error" in body:
            return {"error": {"code": "not_found", "message": body["error"]}}
        return {"rows": [{"id": ask["coins"][0], "price": body["price"], "time": body["time"]}]}


    for line in stdin:
        message = loads(line)
        try:
            answer = HELLO if "hello" in message else plan(message["plan"]) if "plan" in message else parse(message["parse"])
        except (KeyError, TypeError, ValueError) as fault:
            answer = {"error": {"code": "unreadable", "message": repr(fault)}}
        print(dumps(answer), flush=True)

    """

  private static let sh = #"""
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

    """#

  private static let perl = #"""
    #!/usr/bin/perl
    # A plugin for NAME: it plans requests and reads the responses. It sends no requests itself. See docs/plugins.md.
    use strict;
    use warnings;
    use open ':std', ':utf8';
    use JSON::PP;
    $| = 1;
    my $json = JSON::PP->new->ascii->canonical;

    my $hello = {bitpal => 1, id => 'NAME', name => 'NAME', answers => ['quotes']};

    sub plan {
      my ($ask) = @_;
      my $query = 'symbol=' . uc($ask->{symbols}[0]) . '&currency=' . uc($ask->{currency});
      return {requests => [{url => "https://HOST/price?$query"}]};
    }

    sub parse {
      my ($ask) = @_;
      my $body = $json->decode($ask->{responses}[0]{body});
      return {error => {code => 'not_found', message => "$body->{error}"}} if defined $body->{error};
      # A value is a text, so that no digit is lost; a source that sends numbers needs  allow_bignum  above.
      return {rows => [{id => $ask->{coins}[0], price => "$body->{price}", time => "$body->{time}"}]};
    }

    while (my $line = <STDIN>) {
      my $message = $json->decode($line);
      my $answer = eval {
        $message->{hello} ? $hello : $message->{plan} ? plan($message->{plan}) : parse($message->{parse});
      };
      print $json->encode($answer || {error => {code => 'unreadable', message => "$@"}}), "\n";
    }

    """#
}
