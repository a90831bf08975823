import BitpalModel

/// When the requests of one budget went: at most so many within any stretch of time as long as its window.
///
/// A token bucket whose tokens come back one window after each was taken: all of them can be used at once, and no window,
/// wherever it begins, holds more. Up to ``exactLimit`` requests are kept with their times. Beyond that those of the same
/// 128th of a window share a slot and come back together, with the last of them: later than need be, never too early.
///
/// Instants are nanoseconds on the clock of whoever owns the log.
struct WindowLog: Hashable, Sendable {
  /// Requests whose tokens come back together.
  struct Slot: Hashable, Sendable {
    let first: Int64
    var last: Int64
    var count: Int
  }

  /// Budgets up to this size are kept exactly.
  static let exactLimit = 128

  /// No slot that is believed counts more: a budget is smaller, and what others have used is added to it at most.
  private static let mostCount: Int64 = 1 << 40

  /// No more slots than this are kept; nobody waits for so many windows.
  static let mostSlots = 512

  let limit: RateLimit

  /// In the order of their times.
  private(set) var slots: [Slot] = []

  init(_ limit: RateLimit) {
    self.limit = limit
  }

  /// How late a request may come after the time it has booked, and how much longer than a window its token stays away.
  ///
  /// A source counts when a request arrives, and that is a little later for one than for another.
  var allowance: Int64 { min(window / 32, 100_000_000) }

  private var window: Int64 { Nanoseconds.of(limit.window) }

  /// How long a token stays away.
  private var away: Int64 { window + allowance }

  private var slotWidth: Int64 { limit.limit <= Self.exactLimit ? 0 : window / Int64(Self.exactLimit) }

  /// How many requests count at an instant, those that are booked for later included.
  func used(at now: Int64) -> Int {
    slots.reduce(0) { $1.last + away > now ? $0 + $1.count : $0 }
  }

  /// The first instant from `start` on at which one more may go; nil when none can be booked.
  func earliest(from start: Int64) -> Int64? {
    if slots.isEmpty || hasRoom(at: start) { return start }
    guard slots.count < Self.mostSlots else { return nil }
    // There is more room only when a token has come back.
    return slots.lazy.map { $0.last + away }.first { $0 > start && hasRoom(at: $0) }
  }

  /// Whether no window would hold too many with one more at `time`.
  ///
  /// Of all windows that hold it the fullest begin with it or with the last request of a slot before it.
  private func hasRoom(at time: Int64) -> Bool {
    let near = near(time)
    if slots[near].reduce(0, { $0 + $1.count }) < limit.limit { return true }
    var (first, end, count) = (near.lowerBound, near.lowerBound, 0)
    for index in near where slots[index].last < time {
      slide(to: slots[index].last, &first, &end, &count, within: near)
      if count >= limit.limit { return false }
    }
    slide(to: time, &first, &end, &count, within: near)
    return count < limit.limit
  }

  /// The slots that share a window with `time`.
  private func near(_ time: Int64) -> Range<Int> {
    let first = index { $0.last > time - away }
    return first..<max(first, index { $0.first >= time + away })
  }

  /// The first slot that `isBeyond`, which no slot before it is and all after it are.
  private func index(where isBeyond: (Slot) -> Bool) -> Int {
    var (low, high) = (slots.startIndex, slots.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBeyond(slots[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Moves a window on to begin at `start`; `first..<end` are the slots in it, which hold `count` requests.
  private func slide(
    to start: Int64, _ first: inout Int, _ end: inout Int, _ count: inout Int, within near: Range<Int>
  ) {
    while end < near.upperBound, slots[end].first < start + away {
      count += slots[end].count
      end += 1
    }
    while first < end, slots[first].last < start {
      count -= slots[first].count
      first += 1
    }
  }

  /// Counts requests.
  mutating func add(_ count: Int = 1, at time: Int64) {
    let index = slots.lastIndex { $0.first <= time }
    if let index, time <= slots[index].last || time - slots[index].first < slotWidth {
      let slot = slots[index]
      slots[index] = Slot(first: slot.first, last: max(slot.last, time), count: slot.count + count)
    } else {
      let place = index.map { $0 + 1 } ?? 0
      slots.insert(Slot(first: time, last: time, count: count), at: place)
    }
  }

  /// Whether a request is counted at `time`.
  func holds(_ time: Int64) -> Bool { slots.contains { $0.first <= time && time <= $0.last } }

  /// Gives one request back that was counted at `time`.
  mutating func remove(at time: Int64) {
    guard let index = slots.lastIndex(where: { $0.first <= time && time <= $0.last }) else { return }
    if slots[index].count > 1 {
      slots[index].count -= 1
    } else {
      slots.remove(at: index)
    }
  }

  /// Forgets what no longer counts.
  mutating func forget(before now: Int64) {
    let away = away
    slots.removeAll { $0.last + away <= now }
  }

  /// Goes on under another budget, with the requests of an older log.
  init(_ limit: RateLimit, following other: WindowLog) {
    self.init(limit)
    slots = other.slots.map { Slot(first: $0.first, last: $0.last, count: min($0.count, limit.limit)) }
  }
}

// MARK: Text

extension [WindowLog] {
  /// The logs as they are kept.
  var text: String { map(\.text).joined(separator: ";") }

  /// Reads what ``text`` has written; nil for anything else.
  init?(text: some StringProtocol) {
    let logs = text.split(separator: ";").map { WindowLog(text: $0) }
    self = logs.compactMap { $0 }
    guard count == logs.count else { return nil }
  }
}

extension WindowLog {
  /// The log as it is kept in a file: the budget, then its slots.
  var text: String {
    "\(limit.limit)/\(window):" + slots.map { "\($0.first) \($0.last) \($0.count)" }.joined(separator: ",")
  }

  /// Reads what ``text`` has written; nil for anything else.
  init?(text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let budget = parts.first?.split(separator: "/") ?? []
    guard parts.count == 2, budget.count == 2, let count = Int(budget[0]), let length = Int64(budget[1]),
      let limit = RateLimit(limit: count, window: .nanoseconds(length))
    else { return nil }
    self.init(limit)
    for slot in parts[1].split(separator: ",").prefix(Self.mostSlots) {
      let numbers = slot.split(separator: " ").compactMap { Int64($0) }
      guard numbers.count == 3, numbers.allSatisfy({ Nanoseconds.bounded($0) == $0 }), numbers[0] <= numbers[1],
        (1...Self.mostCount).contains(numbers[2]), numbers[0] >= slots.last?.last ?? -Nanoseconds.limit
      else { return nil }
      slots.append(Slot(first: numbers[0], last: numbers[1], count: Int(numbers[2])))
    }
  }
}
