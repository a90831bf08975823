import BitpalModel

/// Collects what is told from any thread.
package final class Notes<Note: Sendable>: Sendable {
  private let collected = Locked<[Note]>([])

  package init() {}

  /// Everything told so far.
  package var all: [Note] { collected.withLock { $0 } }

  /// Adds a note.
  package func add(_ note: Note) {
    collected.withLock { $0.append(note) }
  }

  /// Forgets everything told so far.
  package func clear() {
    collected.withLock { $0 = [] }
  }
}
