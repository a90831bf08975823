import BitpalModel
import Glibc

/// A database file whose content can be fetched again or done without, and a connection to it.
///
/// The file is opened when first needed, and again after it was moved or removed. A problem of the file does not stop
/// the caller: the ``RecoveryPolicy`` sets the file aside, uses another one, or continues without a file.
package final class DisposableDatabase: Sendable {
  /// A problem of the file.
  package enum Failure: Error, Hashable, Sendable {
    /// The file is damaged or not a database; SQLite's message.
    case damaged(String)

    /// A newer version of bitpal wrote the file; its schema version and the one that this version knows.
    case newer(found: Int64, known: Int64)

    /// The file belongs to another program.
    case foreign

    /// Other connections held the lock until the wait ended; SQLite's message.
    case busy(String)

    /// The file cannot be opened, read or written; SQLite's message.
    case unusable(String)

    init(_ error: any Error) {
      switch error {
      case let failure as Failure: self = failure
      case SQLiteSchema.Failure.newer(let found, let known): self = .newer(found: found, known: known)
      case SQLiteSchema.Failure.older(let found, let known):
        self = .damaged("its schema \(found) is older than this version's \(known)")
      case SQLiteSchema.Failure.foreign: self = .foreign
      case let error as SQLiteError:
        switch error.code.primary {
        case .corrupt, .notADatabase, .error: self = .damaged(error.message)
        case .busy: self = .busy(error.message)
        default: self = .unusable(error.message)
        }
      default: self = .damaged("\(error)")
      }
    }
  }

  /// The action after a problem.
  package enum RecoveryAction: Hashable, Sendable {
    /// Renames the file to the path `as`, and begins a new one.
    case setAside(as: String)

    /// Uses the file at another path from now on.
    case use(String)

    /// Continues without a file for the rest of this process.
    case inMemory
  }

  /// The result of work with the file.
  package enum Outcome<Result: Sendable>: Sendable {
    case done(Result)

    /// The file exists, but other threads or processes hold its lock.
    case busy

    /// No file can be used.
    case without
  }

  /// The rules for opening a file and for its problems.
  package struct RecoveryPolicy: Sendable {
    /// Opens a file, and makes its tables.
    let open: @Sendable (_ path: String, _ busyTimeout: Duration) throws -> SQLiteConnection

    /// Returns the action after a problem other than being busy.
    let action: @Sendable (Failure, _ path: String) -> RecoveryAction

    /// Reports a problem and the action taken; nil when the action failed or the file is only busy.
    let tell: @Sendable (Failure, RecoveryAction?) -> Void

    package init(
      open: @escaping @Sendable (_ path: String, _ busyTimeout: Duration) throws -> SQLiteConnection,
      action: @escaping @Sendable (Failure, _ path: String) -> RecoveryAction,
      tell: @escaping @Sendable (Failure, RecoveryAction?) -> Void
    ) {
      self.open = open
      self.action = action
      self.tell = tell
    }
  }

  private struct State {
    var path: String
    var connection: SQLiteConnection?
    /// The status of the file at the path before it was opened; nil when there was none.
    var openedStatus: FileStatus?
    var isGivenUp = false
    /// The longest time to wait for another process that writes; zero after a wait that failed, until work succeeds.
    var patience: Duration
  }

  /// The longest time to wait for another process that writes.
  package static let busyTimeout: Duration = .seconds(2)

  /// The path given at creation, even while another file is used in its place.
  package let path: String
  private let recovery: RecoveryPolicy
  private let patience: Duration
  private let state: Locked<State>

  /// Creates a database; its file is opened when first needed.
  ///
  /// - Parameter patience: The longest time to wait for other threads, and for another process that writes.
  package init(path: String, patience: Duration = busyTimeout, recovery: RecoveryPolicy) {
    self.path = path
    self.recovery = recovery
    self.patience = patience
    state = Locked(State(path: path, patience: patience))
  }

  /// Runs `body` with the file, and again after each of at most two recovery actions.
  ///
  /// Waits for other threads and for other processes that write, each for at most the patience of the database.
  ///
  /// - Returns: The result of `body`, or the reason why it has none; an error of `body` counts as a ``Failure``.
  package func perform<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) -> Outcome<Result> {
    let outcome = state.withLock(within: patience) { state -> Outcome<Result> in
      // One action for the file, and one for the file that replaces it.
      for _ in 0..<3 {
        if state.isGivenUp { return .without }
        do {
          let connection = try connection(&state)
          let result = try body(connection)
          state.patience = patience
          connection.busyTimeout = state.patience
          return .done(result)
        } catch {
          state.connection = nil
          let failure = Failure(error)
          if case .busy = failure {
            recovery.tell(failure, nil)
            state.patience = .zero
            return .busy
          }
          recover(failure, &state)
        }
      }
      state.isGivenUp = true
      return .without
    }
    return outcome ?? .busy
  }

  private func connection(_ state: inout State) throws -> SQLiteConnection {
    // Writes to a file that was moved or removed are lost to other processes.
    if let connection = state.connection, !connection.isMoved { return connection }
    state.openedStatus = try? FileStatus(state.path)
    let connection = try recovery.open(state.path, state.patience)
    state.connection = connection
    return connection
  }

  private func recover(_ failure: Failure, _ state: inout State) {
    let action = recovery.action(failure, state.path)
    switch action {
    case .setAside(let aside):
      // Only the first process that finds a bad file may rename it; the others would set aside the new one.
      guard let openedStatus = state.openedStatus, let now = try? FileStatus(state.path), now.isSame(as: openedStatus)
      else { return }
      // Its journals are removed, because SQLite would apply them to the new file.
      guard rename(state.path, aside) == 0 else {
        state.isGivenUp = true
        return recovery.tell(failure, nil)
      }
      for suffix in ["-wal", "-shm", "-journal"] { unlink(state.path + suffix) }
    case .use(let other): state.path = other
    case .inMemory: state.isGivenUp = true
    }
    recovery.tell(failure, action)
  }
}
