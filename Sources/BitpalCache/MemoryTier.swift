import BitpalModel

/// The upper tier: a dictionary bounded by bytes that forgets what was used longest ago.
final class MemoryTier: Sendable {
  private struct Slot {
    let key: CacheKey
    let entry: CacheEntry
    var usedAt: UInt64
  }

  private struct State {
    /// By coin: one text is quicker to hash than the five of a key, and a coin has few entries.
    var slots: [String: [Slot]] = [:]
    var byteCount = 0
    var uses: UInt64 = 0

    /// Where the entry of `key` is.
    func place(of key: CacheKey) -> (coin: Dictionary<String, [Slot]>.Index, slot: Int)? {
      guard let coin = slots.index(forKey: key.coin),
        let slot = slots.values[coin].firstIndex(where: { $0.key == key })
      else { return nil }
      return (coin, slot)
    }

    mutating func remove(_ key: CacheKey) {
      guard let place = place(of: key) else { return }
      let slot = slots.values[place.coin].remove(at: place.slot)
      if slots.values[place.coin].isEmpty { slots.remove(at: place.coin) }
      byteCount -= slot.entry.byteCount
    }
  }

  private let state = Locked(State())
  private let byteLimit: Int

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  func entry(for key: CacheKey) -> CacheEntry? {
    state.withLock { state in
      guard let place = state.place(of: key) else { return nil }
      state.uses &+= 1
      state.slots.values[place.coin][place.slot].usedAt = state.uses
      return state.slots.values[place.coin][place.slot].entry
    }
  }

  func store(_ entry: CacheEntry, for key: CacheKey) {
    let size = entry.byteCount
    guard size <= byteLimit else { return }
    state.withLock { state in
      state.uses &+= 1
      if let place = state.place(of: key) {
        state.byteCount -= state.slots.values[place.coin][place.slot].entry.byteCount
        state.slots.values[place.coin][place.slot] = Slot(key: key, entry: entry, usedAt: state.uses)
      } else {
        state.slots[key.coin, default: []].append(Slot(key: key, entry: entry, usedAt: state.uses))
      }
      state.byteCount += size
      guard state.byteCount > byteLimit else { return }
      // An eighth at a time, so that a full tier does not sort itself at every store.
      for slot in state.slots.values.joined().sorted(by: { $0.usedAt < $1.usedAt }) where slot.key != key {
        guard state.byteCount > byteLimit - byteLimit / 8 else { break }
        state.remove(slot.key)
      }
    }
  }

  func removeAll() {
    state.withLock { $0 = State() }
  }

  /// How many entries, and how many bytes they count for.
  var usage: (entries: Int, bytes: Int) {
    state.withLock { ($0.slots.values.reduce(0) { $0 + $1.count }, $0.byteCount) }
  }
}
