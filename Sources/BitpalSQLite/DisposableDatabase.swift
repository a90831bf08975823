import BitpalFiles
import BitpalModel
import Glibc

/// A database file whose content can be fetched again or done without, and a connection to it.
///
/// It is opened when first needed, and again when it was removed. A problem of the file does not stop the caller: the
/// file is set aside, another one used in its place, or none at all, as its owner decides, who also provides the
/// messages.
package final class DisposableDatabase: Sendable {
  /// The problem of a file.
  package enum Failure: Error, Hashable, Sendable {
    /// It is broken, or not a database; SQLite's words.
    case damaged(String)

    /// A newer version wrote it.
    case newer(found: Int64, known: Int64)

    /// It belongs to another program.
    case foreign

    /// Others have held its lock for longer than could be waited; SQLite's words.
    case busy(String)

    /// It cannot be opened, read or written; SQLite's words.
    case unusable(String)

    init(_ error: any Error) {
      switch error {
      case let failure as Failure: self = failure
      case SQLiteMigrations.Failure.newer(let found, let known): self = .newer(found: found, known: known)
      case SQLiteMigrations.Failure.foreign: self = .foreign
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
    /// The file is given that name, and a new one is begun.
    case setAside(as: String)

    /// Another file is used from now on.
    case use(String)

    /// This process goes on without a file.
    case inMemory
  }

  /// The result of work with the file.
  package enum Outcome<Result: Sendable>: Sendable {
    case done(Result)

    /// The file is there, and others have its lock.
    case busy

    /// There is no file to be had.
    case without
  }

  /// The rules for opening a file and for its problems.
  package struct RecoveryPolicy: Sendable {
    /// Opens a file, and brings it up to date.
    let open: @Sendable (_ path: String, _ busyTimeout: Duration) throws -> SQLiteConnection

    /// Returns the action after a problem other than being busy.
    let action: @Sendable (Failure, _ path: String) -> RecoveryAction

    /// Told what was wrong and what came of it: the remedy, or nil when even that failed or the file is merely busy.
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
    /// The longest time to wait for another process that writes; after a wait without success there is none again.
    var patience = DisposableDatabase.busyTimeout
  }

  /// The longest time to wait for another process that writes.
  package static let busyTimeout: Duration = .seconds(2)

  /// The path that was asked for.
  package let path: String
  private let recovery: RecoveryPolicy
  private let state: Locked<State>

  package init(path: String, recovery: RecoveryPolicy) {
    self.path = path
    self.recovery = recovery
    state = Locked(State(path: path))
  }

  /// Works with the file; after a remedy once more.
  ///
  /// Blocks the thread, for at most twice ``busyTimeout``: while another thread works, and while another process writes.
  package func perform<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) -> Outcome<Result> {
    let outcome = state.withLock(within: Self.busyTimeout) { state -> Outcome<Result> in
      // One remedy for the file, and one for what is used in its place.
      for _ in 0..<3 {
        if state.isGivenUp { return .without }
        do {
          let connection = try connection(&state)
          let result = try body(connection)
          state.patience = Self.busyTimeout
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
    // A process that goes on with a removed file works alone.
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
      // Of many processes that meet a bad file one is the first; the others must not set its new one aside.
      guard let openedStatus = state.openedStatus, let now = try? FileStatus(state.path), now.isSame(as: openedStatus)
      else { return }
      // Its log goes with it, or the next file would be taken for its own.
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
