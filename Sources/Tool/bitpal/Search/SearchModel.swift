import BitpalModel
import BitpalQueries

/// The state and the decisions of `search -i`: it takes an event and returns the effects to perform.
///
/// It has no clock, no terminal and no network. Each key looks in the list on this machine; a source is asked only when
/// no key was pressed for ``pause``.
struct SearchModel: Sendable {
  /// An event of the search.
  enum Event: Sendable {
    case key(TerminalKey)

    /// The instant ``due`` has come.
    case clock

    /// The coins that match a text, from this machine or, `isFinal`, by the source too.
    case found(Result<SearchAnswer, BitpalError>, text: String, isFinal: Bool)

    /// The lines about a coin.
    case shown(Result<[String], BitpalError>, id: String)

    /// The outcome of adding a coin to the watchlist, as a sentence.
    case added(String)

    /// The terminal has another size, or has been taken over again.
    case redraw
  }

  /// An effect of an event.
  enum Effect: Equatable, Sendable {
    case draw

    /// Look in the list on this machine.
    case look(String)

    /// Look in the list, and ask the source for it where it is missing or old.
    case ask(String)

    /// Ask for a coin.
    case show(id: String)
    case add(id: String)
    case quit
  }

  /// The state of the coin that was chosen.
  struct Page: Sendable {
    let id: String

    /// The lines about it; empty until they have come.
    var lines: [String] = []

    /// A failure, or the outcome of adding it.
    var note: String?
  }

  /// The time without a key before a source is asked (300 ms).
  static let pause = Duration.milliseconds(300)

  private(set) var text: String

  /// The coins that match; those of the text before until others have come.
  private(set) var answer: SearchAnswer?

  /// The failure of the last question; nil for none.
  private(set) var failure: BitpalError?

  /// The index of the chosen coin.
  private(set) var choice = 0

  /// The coin that is shown; nil for the list.
  private(set) var page: Page?

  /// The instant at which the source is asked; nil for none.
  private(set) var due: Duration?

  /// Creates a model that begins with a text.
  init(text: String) { self.text = text }

  /// Returns the effects of the beginning.
  mutating func begin(at now: Duration) -> [Effect] { change(at: now) }

  /// Takes an event, and returns its effects in their order.
  mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .key(let key): return page == nil ? press(key, at: now) : press(key)
    case .clock:
      guard let due, due <= now else { return [] }
      self.due = nil
      return text.isEmpty ? [] : [.ask(text)]
    case .found(let result, let text, let isFinal):
      guard text == self.text else { return [] }
      switch result {
      case .success(let answer): (self.answer, failure) = (answer, nil)
      // Without a list on this machine the source's answer counts.
      case .failure(let error) where isFinal: (answer, failure) = (nil, error)
      case .failure: answer = nil
      }
      choice = max(0, min(choice, (answer?.coins.value.count ?? 0) - 1))
      return [.draw]
    case .shown(let result, let id):
      guard page?.id == id else { return [] }
      switch result {
      case .success(let lines): page?.lines = lines
      case .failure(let error): page?.note = error.message
      }
      return [.draw]
    case .added(let note):
      page?.note = note
      return [.draw]
    case .redraw: return [.draw]
    }
  }

  private mutating func press(_ key: TerminalKey, at now: Duration) -> [Effect] {
    switch key {
    case .text(let character) where text.utf8.count < 100: text.append(character)
    case .erase where !text.isEmpty: text.removeLast()
    case .up, .down:
      choice = max(0, min(choice + (key == .down ? 1 : -1), (answer?.coins.value.count ?? 0) - 1))
      return [.draw]
    case .enter:
      guard let coins = answer?.coins.value, coins.indices.contains(choice) else { return [] }
      page = Page(id: coins[choice].id)
      return [.draw, .show(id: coins[choice].id)]
    case .escape: return [.quit]
    case .text, .erase: return []
    }
    return change(at: now)
  }

  /// Takes a key while a coin is shown.
  private mutating func press(_ key: TerminalKey) -> [Effect] {
    switch key {
    case .text("a"): return page.map { [.add(id: $0.id)] } ?? []
    case .text("q"): return [.quit]
    case .escape, .erase:
      page = nil
      return [.draw]
    case .text, .enter, .up, .down: return []
    }
  }

  private mutating func change(at now: Duration) -> [Effect] {
    (choice, failure) = (0, nil)
    due = text.isEmpty ? nil : now + Self.pause
    if text.isEmpty { answer = nil }
    return text.isEmpty ? [.draw] : [.draw, .look(text)]
  }
}
