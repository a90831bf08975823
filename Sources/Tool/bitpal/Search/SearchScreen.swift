import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries

/// The screen of `search -i`: it passes keys and answers to a ``SearchModel``, performs its effects, and draws it.
struct SearchScreen: Sendable {
  let session: Session
  let service: PriceService
  let currency: String
  let parameters: RawArguments

  /// Runs until the user ends it.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when standard output cannot be written.
  func run(_ text: String) async throws {
    let (events, mailbox) = AsyncStream<SearchModel.Event>.makeStream()
    let screen = Screen(session.console)
    // The pause is the user's own, also where a recording stops the clock of prices.
    let time = SystemTime()
    TerminalEvents(screen: screen) { event in
      switch event {
      case .key(let key): mailbox.yield(.key(key))
      case .redraw: mailbox.yield(.redraw)
      }
    }.start()
    screen.enter()
    defer { screen.leave() }
    var model = SearchModel(text: text)
    var timer: Task<Void, Never>?
    defer { timer?.cancel() }
    var effects = model.begin(at: time.monotonic)
    var iterator = events.makeAsyncIterator()
    while !effects.contains(.quit) {
      for effect in effects where effect != .draw { perform(effect) { mailbox.yield($0) } }
      if effects.contains(.draw) { try screen.draw(lines(model)) }
      timer?.cancel()
      timer = model.due.map { due in
        Task {
          guard (try? await time.sleep(for: due - time.monotonic)) != nil, !Task.isCancelled else { return }
          mailbox.yield(.clock)
        }
      }
      guard let event = await iterator.next() else { return }
      effects = model.handle(event, at: time.monotonic)
    }
  }

  private func perform(_ effect: SearchModel.Effect, _ post: @escaping @Sendable (SearchModel.Event) -> Void) {
    switch effect {
    case .draw, .quit: break
    case .look(let text): Task { post(.found(await found(text, isFinal: false), text: text, isFinal: false)) }
    case .ask(let text): Task { post(.found(await found(text, isFinal: true), text: text, isFinal: true)) }
    case .show(let id): Task { post(.shown(await self.lines(about: id), id: id)) }
    case .add(let id): Task { post(.added(added(id))) }
    }
  }

  private func found(_ text: String, isFinal: Bool) async -> Result<SearchAnswer, BitpalError> {
    await result {
      try await SearchQuery(text, parameters, usual: rows - 6).answer(
        by: service, policy: isFinal ? session.options.policy : .offline, suggests: isFinal)
    }
  }

  /// Returns the lines about a coin, as `coin` prints them.
  private func lines(about id: String) async -> Result<[String], BitpalError> {
    await result {
      let detail = try await service.detail(service.name(ofID: id), currency: currency, policy: session.options.policy)
      let view = CoinView(detail, providers: service.descriptors, currency: currency)
      return view.table(style: session.console.style).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    }
  }

  /// Adds a coin to the watchlist, and returns a sentence about it.
  private func added(_ id: String) -> String {
    do {
      let store = try WatchlistContext.store(session, try session.settings())
      _ = try store.add([id], now: service.time.now)
      return "added \(id.printable(limit: 80)) to the watchlist; \(try store.items().count) in it"
    } catch {
      return (error as? BitpalError)?.message ?? "\(error)"
    }
  }

  private func result<Value>(_ body: () async throws -> Value) async -> Result<Value, BitpalError> {
    do {
      return .success(try await body())
    } catch {
      return .failure(error as? BitpalError ?? .unreadable(provider: "search", reason: "\(error)"))
    }
  }

  private var rows: Int { max(8, (TerminalSize.current { session.environment.value($0) })?.rows ?? 24) }

  /// Returns the lines of the screen; the last one lists the keys.
  private func lines(_ model: SearchModel) -> [String] {
    let style = session.console.style
    let (cursor, arrows) = session.wantsASCII ? ("_", "up, down") : ("▏", "↑↓")
    let keys: String
    var note = ""
    var lines: [String]
    if let page = model.page {
      keys = "a add to the watchlist  Esc back  q quit"
      lines = page.lines.isEmpty && page.note == nil ? [style("asking about \(page.id) …", .quiet)] : page.lines
      let wrapped = page.note?.printable(limit: 200).wrapped(toWidth: style.width ?? 80) ?? []
      lines += wrapped.dropLast().map { style($0, .warning) }
      note = wrapped.last.map { style($0, .warning) } ?? ""
    } else {
      keys = "type to search  \(arrows) choose  Enter show  Esc quit"
      lines = ["search: \(model.text.printable(limit: 100))\(cursor)", ""]
      if let answer = model.answer, !answer.coins.value.isEmpty {
        let view = SearchView(
          SearchOutput(answer, currency: currency), providers: service.descriptors, choice: model.choice)
        lines += view.table(style: style).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      } else if let failure = model.failure {
        lines += failure.message.wrapped(toWidth: style.width ?? 80).map { style($0, .warning) }
      } else if let answer = model.answer {
        let nearest = answer.suggestion.map { "; did you mean \"\($0.printable(limit: 80))\"?" } ?? ""
        lines.append(style("no coin matches\(nearest)", .quiet))
      } else if !model.text.isEmpty {
        lines.append(style("the coin list is not on this machine yet", .quiet))
      }
    }
    let shown = lines.prefix(rows - 2)
    return shown + Array(repeating: "", count: rows - 2 - shown.count) + [note, style(keys, .quiet)]
  }
}
