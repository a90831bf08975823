import BitpalModel

/// The upper tier: a dictionary with a bound in bytes that drops the least recently used answers.
///
/// The newest coin list of each provider is kept in addition, whatever the bound: without it a source would be asked
/// for every name.
final class MemoryTier: CacheTier {
  /// An object, because a look at an answer in an array would copy all of its texts.
  private final class Slot {
    let answer: Sourced<Answer>
    var usedAt: UInt64

    init(_ answer: Sourced<Answer>, usedAt: UInt64) {
      self.answer = answer
      self.usedAt = usedAt
    }
  }

  private struct State {
    /// The slots by coin: one text is quicker to hash than the five of a key, and a coin has few entries.
    var slots: [String: [Slot]] = [:]
    var byteCount = 0
    var uses: UInt64 = 0
    var lists: [String: (stamp: Sourced<Void>, items: [CoinListItem])] = [:]

    /// Returns the slot of the answer of `key`; nil when there is none.
    func slot(of key: AnswerKey) -> Slot? { slots[key.coin]?.first { $0.answer.about == key } }

    mutating func remove(_ slot: Slot) {
      let coin = slot.answer.about.coin
      slots[coin]?.removeAll { $0 === slot }
      if slots[coin]?.isEmpty ?? false { slots[coin] = nil }
      byteCount -= slot.answer.byteCount
    }

    /// Stores an answer, and drops the least recently used ones when the bound is exceeded.
    mutating func keep(_ answer: Sourced<Answer>, byteLimit: Int) {
      let size = answer.byteCount
      guard size <= byteLimit else { return }
      uses &+= 1
      if let former = slot(of: answer.about) { remove(former) }
      slots[answer.about.coin, default: []].append(Slot(answer, usedAt: uses))
      byteCount += size
      guard byteCount > byteLimit else { return }
      // An eighth at a time, so that a full tier does not sort itself at every store.
      for old in slots.values.joined().sorted(by: { $0.usedAt < $1.usedAt }) where old.answer.about != answer.about {
        guard byteCount > byteLimit - byteLimit / 8 else { break }
        remove(old)
      }
    }
  }

  let name = "memory"

  private let state = Locked(State())
  private let byteLimit: Int

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  func answer(for key: AnswerKey) -> Sourced<Answer>? {
    state.withLock { state in
      if key.kind == .coinList {
        return state.lists[key.provider].map { list in list.stamp.map { .coinList(list.items) } }
      }
      guard let slot = state.slot(of: key) else { return nil }
      state.uses &+= 1
      slot.usedAt = state.uses
      return slot.answer
    }
  }

  func stamp(of key: AnswerKey) -> Sourced<Void>? {
    if key.kind == .coinList { return state.withLock { $0.lists[key.provider]?.stamp } }
    return answer(for: key)?.map { _ in () }
  }

  func store(_ answers: [Sourced<Answer>]) {
    state.withLock { state in
      for answer in answers {
        if case .coinList(let items) = answer.value {
          state.lists[answer.about.provider] = (answer.withKeptWarnings.map { _ in () }, items)
        } else {
          state.keep(answer.withKeptWarnings, byteLimit: byteLimit)
        }
      }
    }
  }

  @discardableResult func removeAll() -> Int {
    state.withLock { state in
      defer { state = State() }
      return state.slots.values.reduce(0) { $0 + $1.count } + state.lists.count
    }
  }
}

extension Sourced<Answer> {
  /// The approximate size of the answer in memory, in bytes.
  fileprivate var byteCount: Int {
    switch value {
    case .quote, .missing: 256
    case .detail: 512
    case .line(let series): 128 + series.points.count * MemoryLayout<ChartDataPoint>.stride
    case .candles(let series): 128 + series.candles.count * MemoryLayout<CandleDataPoint>.stride
    case .coinList(let items): 128 + items.count * MemoryLayout<CoinListItem>.stride
    }
  }

  fileprivate var withKeptWarnings: Sourced {
    warnings.isEmpty
      ? self
      : Sourced(
        value, about: about, source: source, fetchedAt: fetchedAt, freshness: freshness, warnings: keptWarnings,
        conversion: conversion)
  }
}
