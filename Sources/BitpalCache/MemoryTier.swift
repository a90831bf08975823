import BitpalModel

/// The upper tier: a dictionary bounded by bytes that forgets what was used longest ago.
final class MemoryTier: Sendable {
  private struct Slot {
    let entry: CacheEntry
    var usedAt: UInt64
  }

  private struct State {
    var slots: [CacheKey: Slot] = [:]
    var byteCount = 0
    var uses: UInt64 = 0
  }

  private let state = Locked(State())
  private let byteLimit: Int

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  func entry(for key: CacheKey) -> CacheEntry? {
    state.withLock { state in
      guard var slot = state.slots[key] else { return nil }
      state.uses &+= 1
      slot.usedAt = state.uses
      state.slots[key] = slot
      return slot.entry
    }
  }

  func store(_ entry: CacheEntry, for key: CacheKey) {
    let size = entry.byteCount
    guard size <= byteLimit else { return }
    state.withLock { state in
      state.uses &+= 1
      if let old = state.slots.updateValue(Slot(entry: entry, usedAt: state.uses), forKey: key) {
        state.byteCount -= old.entry.byteCount
      }
      state.byteCount += size
      guard state.byteCount > byteLimit else { return }
      // An eighth at a time, so that a full tier does not sort itself at every store.
      for (key, slot) in state.slots.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
        guard state.byteCount > byteLimit - byteLimit / 8, state.slots.count > 1 else { break }
        state.slots[key] = nil
        state.byteCount -= slot.entry.byteCount
      }
    }
  }

  func removeAll() {
    state.withLock { $0 = State() }
  }

  /// How many entries, and how many bytes they count for.
  var usage: (entries: Int, bytes: Int) {
    state.withLock { ($0.slots.count, $0.byteCount) }
  }
}
