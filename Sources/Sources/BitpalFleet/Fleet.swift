package import BitpalModel
import BitpalNetwork
package import BitpalRateLimit
import FoundationEssentials
import Glibc

/// The access to the Redis that several machines share: its connections, and a circuit breaker.
///
/// Redis is asked on the thread of the caller, which waits, and never for long. A server that is silent for 250 ms
/// counts as away, and no process of this machine asks it for the next 3 s. The tier, the limiter and the lock decide
/// what they do instead.
package final class Fleet: Sendable {
  /// The counts of exchanges and outages in this process.
  package struct Counts: Hashable, Sendable {
    /// The number of exchanges with the server that succeeded.
    package var succeeded = 0

    /// The number of exchanges that failed.
    package var failed = 0

    /// The number of times that the circuit breaker has opened.
    package var openings = 0
  }

  /// The most connections at once, and the most that stay open between two exchanges.
  private static let (mostBusy, mostIdle) = (16, 8)

  private struct State {
    var idle: [FleetConnection] = []
    var breaker: FleetBreaker?
    var isRemembered = false
    var counts = Counts()
  }

  /// The settings.
  package let settings: FleetSettings
  let keys: FleetKeys
  let outbox = FleetOutbox()

  private let connect: @Sendable () throws(FleetFault) -> FleetConnection
  private let memory: BudgetFile
  private let trace: Trace
  private let warn: @Sendable (String) -> Void
  let now: @Sendable () -> Date
  private let state = Locked(State())

  /// The places of the threads that speak with the server.
  private let places = Places(mostBusy)

  /// Creates the access to a fleet's server, without connecting.
  ///
  /// - Parameters:
  ///   - settings: The address of the server, and the number of machines that share it.
  ///   - password: The server's password; nil for none.
  ///   - memory: The file that the processes of this machine share; it keeps the state of the circuit breaker.
  ///   - trace: Receives the changes in the server's state.
  ///   - warn: Receives the beginning of an outage, once for all processes of the machine.
  package convenience init(
    settings: FleetSettings, password: Secret?, memory: BudgetFile, trace: Trace,
    warn: @escaping @Sendable (String) -> Void
  ) {
    // The machine's own clock in all cases: the time of a recording does not apply to shared state.
    let time = SystemTime()
    self.init(settings: settings, memory: memory, trace: trace, warn: warn, now: { time.now }) {
      () throws(FleetFault) in
      try FleetConnection(
        try Self.stream(settings), settings.address, password: password, now: { time.now })
    }
  }

  init(
    settings: FleetSettings, memory: BudgetFile, trace: Trace, warn: @escaping @Sendable (String) -> Void,
    now: @escaping @Sendable () -> Date, connect: @escaping @Sendable () throws(FleetFault) -> FleetConnection
  ) {
    self.settings = settings
    self.memory = memory
    self.trace = trace
    self.warn = warn
    self.now = now
    self.connect = connect
    keys = FleetKeys(settings)
  }

  /// The counts of exchanges and outages in this process.
  package var counts: Counts { state.withLock(\.counts) }

  /// Whether the server is not known to be away.
  package var isUp: Bool { outage == nil }

  /// The present outage; nil while none is known.
  var outage: FleetBreaker? {
    state.withLock { state in
      reloadBreaker(&state)
      return state.breaker.flatMap { $0.end == nil ? $0 : nil }
    }
  }

  /// The last outage that a process of this machine has noticed, over or not.
  var lastOutage: FleetBreaker? {
    state.withLock { state in
      reloadBreaker(&state, isForced: true)
      return state.breaker
    }
  }

  /// Returns whether the server has been back for less than a time.
  func isRecovering(for time: Duration) -> Bool {
    guard let end = lastOutage?.end else { return false }
    return now().since(end) < time
  }

  /// Runs an exchange with the server, on a connection that no other thread uses meanwhile.
  ///
  /// - Throws: ``FleetFault``: `away` at once during a known outage, `noTime` when the deadline comes first, otherwise
  ///   the fault of the exchange.
  func perform<Result: Sendable>(
    _ body: (FleetConnection) throws(FleetFault) -> Result
  ) throws(FleetFault) -> Result {
    let idle = try takeConnection()
    defer { places.giveBack() }
    let start = now()
    do throws(FleetFault) {
      let (connection, result) = try attempt(on: idle, body)
      state.withLock { state in
        state.counts.succeeded += 1
        if state.idle.count < Self.mostIdle { state.idle.append(connection) }
        announceReturn(&state, since: start)
      }
      return result
    } catch {
      state.withLock { state in
        if error == .noTime || error == .tooLong { return }
        state.idle = []
        state.counts.failed += 1
        open(&state, because: error.message)
      }
      throw error
    }
  }

  /// Connects and runs an exchange, without consulting or changing the circuit breaker.
  ///
  /// - Throws: ``FleetFault`` of the connection or of `body`.
  func examine<Result>(_ body: (FleetConnection) throws(FleetFault) -> Result) throws(FleetFault) -> Result {
    try body(try connect())
  }

  /// Waits, for at most half a second, until the commands that this process has posted are sent to Redis.
  package static func finishSending() async { await FleetOutbox.finish(on: SystemTime()) }

  // MARK: Losses

  /// The functions that look whether the server has lost the count of a budget, by its key.
  private let watched = Locked<[String: @Sendable () -> Void]>([:])

  /// Has ``keepReporting()`` call `look`, which must not keep the fleet.
  func watch(_ key: String, _ look: @escaping @Sendable () -> Void) { watched.withLock { $0[key] = look } }

  /// Reports the use of this machine whenever the server has lost a count, until the task is cancelled.
  ///
  /// Requests do so by themselves; a server that is asked for nothing would not notice the loss, and other machines
  /// would use what it has used already.
  package func keepReporting() async {
    while (try? await SystemTime().sleep(for: .seconds(2))) != nil {
      for look in watched.withLock({ Array($0.values) }) { look() }
    }
  }

  // MARK: The connection

  /// Counts one more user of the server, and takes an open connection; nil where one is to be made.
  ///
  /// Waits while the largest number of threads uses the server.
  ///
  /// - Throws: ``FleetFault``: `away` while the circuit breaker is open, `noTime` when no connection is free in time.
  private func takeConnection() throws(FleetFault) -> FleetConnection? {
    func idle() throws(FleetFault) -> FleetConnection? {
      try state.withLock { state throws(FleetFault) in
        reloadBreaker(&state)
        if let breaker = state.breaker, breaker.isOpen(at: now()) { throw .away(breaker.message) }
        return state.idle.popLast()
      }
    }
    if places.take(within: .zero) == false {
      if let outage { throw .away(outage.message) }
      guard places.take(within: min(FleetConnection.patience, Deadline.left ?? FleetConnection.patience)) else {
        throw .noTime
      }
    }
    do throws(FleetFault) {
      return try idle()
    } catch {
      // The next one that waits finds the same.
      places.giveBack()
      throw error
    }
  }

  private func attempt<Result>(
    on idle: FleetConnection?, _ body: (FleetConnection) throws(FleetFault) -> Result
  ) throws(FleetFault) -> (FleetConnection, Result) {
    if let idle {
      do throws(FleetFault) {
        return (idle, try body(idle))
      } catch .broken {
        // A server closes idle connections, and after a restart it knows none.
      }
    }
    let connection = try connect()
    return (connection, try body(connection))
  }

  private static func stream(_ settings: FleetSettings) throws(FleetFault) -> any FleetStream {
    // Twice the silence: the name is also looked up and TLS negotiated.
    let patience = FleetConnection.silence * 2
    let left = Deadline.left ?? patience
    guard left > .zero else { throw .noTime }
    do throws(StreamFault) {
      let time = min(patience, left)
      switch settings.address.place {
      case .socket(let path): return try SocketStream(to: .socket(path), within: time)
      case .host(let host, let port, isEncrypted: false):
        return try SocketStream(to: .host(host, port: port), within: time)
      case .host(let host, let port, isEncrypted: true):
        return try CurlStream(to: host, port: port, certificates: settings.certificates, within: time)
      }
    } catch {
      switch error {
      case .silent: throw left < patience ? .noTime : .silent(patience)
      case .broken(let message): throw .broken(message)
      }
    }
  }

  // MARK: What is known of the server

  private var noteName: String { "fleet \(settings.address.description) \(settings.prefix)" }

  /// Reads the state that other processes of this machine have stored: at the start, and before a server that was away
  /// is tried again.
  private func reloadBreaker(_ state: inout State, isForced: Bool = false) {
    let isFirst = !state.isRemembered
    guard isForced || isFirst || state.breaker.map({ !$0.isOpen(at: now()) }) ?? false else { return }
    state.isRemembered = true
    state.breaker = memory.note(noteName).flatMap { FleetBreaker(text: $0) }
    // Other processes have warned already; the trace still names the reason why the share applies.
    if isFirst, let breaker = state.breaker, breaker.isOpen(at: now()) {
      let time = max(.zero, now().since(breaker.begin)).shortText
      trace(.fleet("\(name) has been away for \(time): \(breaker.message); \(consequence)"))
    }
  }

  private var name: String { "the fleet's Redis, \(settings.address.description)," }

  /// The effect of an outage on budgets, for messages.
  private var consequence: String { "this machine keeps to its share of each budget, 1 of \(settings.members)" }

  private func open(_ state: inout State, because message: String) {
    let now = now()
    // Another thread has just found the same.
    if let breaker = state.breaker, breaker.isOpen(at: now) { return }
    func start(of breaker: FleetBreaker?) -> Date? { breaker.flatMap { $0.end == nil ? $0.begin : nil } }
    var begin = start(of: state.breaker)
    // Of several processes that fail at the same time, the first gives the beginning of the outage.
    memory.changeNote(noteName) { known in
      begin = start(of: known.flatMap { FleetBreaker(text: $0) }) ?? begin
      return FleetBreaker(begin: begin ?? now, last: now, message: message).text
    }
    state.breaker = FleetBreaker(begin: begin ?? now, last: now, message: message)
    state.counts.openings += 1
    let text = "\(name) \(message)"
    trace(.fleet(text + "; not asked again for \(FleetBreaker.pause.shortText)"))
    // A further failed attempt in the same outage gives no new warning.
    if begin == nil {
      warn(text + "; until it answers, \(consequence)")
    }
  }

  /// Records for all processes of this machine that the server is back.
  ///
  /// - Parameter start: The start of the successful exchange; one that began before the last failure does not count.
  private func announceReturn(_ state: inout State, since start: Date) {
    guard let breaker = state.breaker, breaker.end == nil, breaker.last <= start else { return }
    trace(.fleet("\(name) answers again"))
    memory.changeNote(noteName) { known in
      // Another process may have recorded it first.
      var known = known.flatMap { FleetBreaker(text: $0) } ?? breaker
      known.end = known.end ?? now()
      state.breaker = known
      return known.text
    }
  }

  /// Returns a random text of about 128 bits, unique to its caller.
  static func token() -> String {
    String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
  }
}

/// A number of places, and threads that wait for one until a time on the monotonic clock.
private final class Places: @unchecked Sendable {
  // Sendable holds because `free` is touched only with the lock, and both objects are made for several threads.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let freed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var free: Int

  init(_ count: Int) {
    free = count
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(freed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(freed)
    pthread_mutex_destroy(mutex)
    freed.deallocate()
    mutex.deallocate()
  }

  /// Takes a place, and blocks the thread until there is one; false when none becomes free in time.
  func take(within patience: Duration) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = Int(end.tv_nsec) + max(0, Int(patience / .nanoseconds(1)))
    (end.tv_sec, end.tv_nsec) = (end.tv_sec + nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while free == 0 {
      guard pthread_cond_timedwait(freed, mutex, &end) != ETIMEDOUT else { return false }
    }
    free -= 1
    return true
  }

  func giveBack() {
    pthread_mutex_lock(mutex)
    free += 1
    pthread_cond_signal(freed)
    pthread_mutex_unlock(mutex)
  }
}
