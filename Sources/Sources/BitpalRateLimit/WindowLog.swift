import BitpalModel

/// A sliding-window log of the tokens taken under one limit.
///
/// A token comes back one window after its stamp. Limits up to ``exactLimit`` keep every stamp. Larger limits round
/// stamps up to a 128th of the window, so that a token comes back late rather than early and the log stays short.
///
/// Instants are whole microseconds on the clock of the log's owner. `budget.lua` keeps the same log.
struct WindowLog: Hashable, Sendable {
  /// Tokens with the same stamp.
  struct Slot: Hashable, Sendable {
    let time: Int64
    var count: Int
  }

  /// The largest limit whose stamps are kept exactly.
  static let exactLimit = 128

  /// The most slots; further tokens get the stamp of the newest slot or later.
  static let mostSlots = 512

  /// The time, in microseconds, for which a token that has just come back is reserved for callers that have waited.
  static let grace: Int64 = 100_000

  let limit: RateLimit

  /// Ordered by time.
  private(set) var slots: [Slot] = []

  /// The number of tokens in ``slots``, some of which may be back.
  private(set) var used = 0

  private let window: Int64
  private let width: Int64

  init(_ limit: RateLimit) {
    self.limit = limit
    window = max(1, limit.window.wholeMicroseconds)
    width = limit.limit > Self.exactLimit ? max(1, window / Int64(Self.exactLimit)) : 1
  }

  /// Creates a log under another limit that continues with the tokens of an older log.
  init(_ limit: RateLimit, following other: WindowLog) {
    self.init(limit)
    for slot in other.slots { add(slot.count, at: slot.time) }
  }

  /// Removes the tokens that have been back for longer than ``grace``.
  mutating func forget(at now: Int64) {
    guard let first = slots.first, first.time + window + Self.grace <= now else { return }
    let kept = slots.firstIndex { $0.time + window + Self.grace > now } ?? slots.endIndex
    used -= slots[..<kept].reduce(0) { $0 + $1.count }
    slots.removeSubrange(..<kept)
  }

  /// Returns the number of tokens that are not yet back.
  func used(at now: Int64) -> Int { slots.reduce(0) { $1.time + window > now ? $0 + $1.count : $0 } }

  /// Returns the number of tokens that have to come back for `count` more, less those that are free.
  func missing(for count: Int) -> Int { used + count - limit.limit }

  /// Returns the earliest instant at which `count` tokens are free, not before `now`; nil for more tokens than the limit.
  func earliest(for count: Int, at now: Int64) -> Int64? {
    guard count <= limit.limit else { return nil }
    let missing = missing(for: count)
    return missing > 0 ? max(now, stamp(missing - 1) + window) : now
  }

  /// Returns the instant at which the token at a position comes back, if each caller before takes one token and sends its
  /// request within `margin`.
  func turn(_ position: Int, margin: Int64) -> Int64 {
    let (rounds, rest) = position.quotientAndRemainder(dividingBy: limit.limit)
    return stamp(rest) + window + (window + margin) * Int64(rounds)
  }

  /// Returns the stamp of a token, counted from the oldest; 0 when there are not so many.
  private func stamp(_ position: Int) -> Int64 {
    var before = 0
    for slot in slots {
      before += slot.count
      if before > position { return slot.time }
    }
    return 0
  }

  /// Adds tokens with a stamp in microseconds.
  mutating func add(_ count: Int, at stamp: Int64) {
    var time = rounded(stamp)
    used += count
    if let last = slots.last, slots.count >= Self.mostSlots {
      time = max(time, last.time)
      slots[slots.count - 1] = Slot(time: time, count: last.count + count)
    } else if let index = slots.lastIndex(where: { $0.time <= time }) {
      if slots[index].time == time {
        slots[index].count += count
      } else {
        slots.insert(Slot(time: time, count: count), at: index + 1)
      }
    } else {
      slots.insert(Slot(time: time, count: count), at: 0)
    }
  }

  /// Removes tokens by their stamp, as far as the log still holds them.
  mutating func remove(_ count: Int, at stamp: Int64) {
    let time = rounded(stamp)
    guard let index = slots.lastIndex(where: { $0.time <= time }), slots[index].time == time else { return }
    let count = min(count, slots[index].count)
    used -= count
    slots[index].count -= count
    if slots[index].count == 0 { slots.remove(at: index) }
  }

  /// Removes the newest tokens.
  mutating func removeNewest(_ count: Int) {
    var left = count
    while left > 0, let last = slots.last {
      let removed = min(left, last.count)
      remove(removed, at: last.time)
      left -= removed
    }
  }

  /// Returns whether a stamp is later than any that a budget can have given.
  func isAhead(of latest: Int64) -> Bool { slots.last.map { $0.time > rounded(latest) } ?? false }

  /// Returns the next multiple of the width.
  private func rounded(_ time: Int64) -> Int64 { (time + width - 1) / width * width }
}

// MARK: Text

extension WindowLog {
  /// The log in the form in which a file keeps it: the limit, then the slots.
  var text: String {
    "\(limit.limit)/\(window):" + slots.map { "\($0.time) \($0.count)" }.joined(separator: ",")
  }

  /// Reads a log from its ``text``; nil for any other text.
  init?(text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.first?.split(separator: "/").compactMap { Int64($0) } ?? []
    guard parts.count == 2, numbers.count == 2,
      let limit = RateLimit(limit: Int(numbers[0]), window: .microseconds(min(numbers[1], 1 << 52)))
    else { return nil }
    self.init(limit)
    for slot in parts[1].split(separator: ",").prefix(Self.mostSlots) {
      let numbers = slot.split(separator: " ").compactMap { Int64($0) }
      guard numbers.count == 2, (slots.last?.time ?? 0)...1 << 52 ~= numbers[0], 1...1 << 40 ~= numbers[1] else {
        return nil
      }
      add(Int(numbers[1]), at: numbers[0])
    }
  }
}
