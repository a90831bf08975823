import BitpalJSON
package import BitpalModel

/// Speaks with a plugin: starts it when it is first asked something, once, and knows what it said of itself last time.
///
/// A plugin that broke a rule is ended at once; the next question starts it again.
///
/// Sendable holds because `process`, `said` and `shown` are touched only on `thread`.
package final class PluginHost: @unchecked Sendable {
  let provider: String
  let limits: PluginLimits

  /// The identity of the program when this was made.
  let identity: String
  private let program: PluginProgram
  private let variables: [String: String]
  private let memory: ManifestCache
  private let trace: Trace
  private let warn: @Sendable (String) -> Void
  private let started = Locked<PluginThread?>(nil)
  private var process: PluginProcess?
  private var said: PluginManifest?
  private var shown = 0
  private let usesSandbox: Bool

  /// - Parameters:
  ///   - provider: The id of the provider.
  ///   - program: The program to start.
  ///   - variables: The host's environment, of which the plugin gets little.
  ///   - memory: The cache of manifests.
  ///   - trace: Told every message.
  ///   - warn: Told the plugin's lines on standard error.
  ///   - limits: The limits of the plugin.
  ///   - mayConfine: Whether it runs in a sandbox where there is one.
  package init(
    provider: String, _ program: PluginProgram, variables: [String: String], memory: ManifestCache,
    trace: Trace = .silent, warn: @escaping @Sendable (String) -> Void = { _ in }, limits: PluginLimits = .standard,
    usesSandbox: Bool = true
  ) {
    self.usesSandbox = usesSandbox
    self.provider = provider
    self.program = program
    identity = ManifestCache.identity(of: program)
    self.variables = variables
    self.memory = memory
    self.trace = trace
    self.warn = warn
    self.limits = limits
  }

  deinit {
    RunningPlugins.remove(self)
    guard let thread = started.withLock({ $0 }) else { return }
    // There is no other reference, so the thread is not using it.
    let process = EndingProcess(process)
    _ = thread.sync { process.end() }
    thread.stop()
  }

  /// The thread on which callers wait; made when it is first needed.
  var thread: PluginThread? {
    started.withLock { started in
      if started == nil { started = PluginThread() }
      return started
    }
  }

  /// Returns the plugin's manifest: the cached one where it is the same program, otherwise the present one.
  func hello() throws(BitpalError) -> PluginManifest {
    if let line = memory.line(of: program, identity), let hello = try? PluginManifest(line, limits: limits) {
      return hello
    }
    return try onThread { host throws(PluginFault) in
      if host.process != nil, let said = host.said { return said }
      return try host.start()
    }
  }

  /// Sends a question, and reads the answer.
  ///
  /// - Parameters:
  ///   - name: The name of the question in failures.
  ///   - left: The time left for the command; nil when no deadline is set.
  /// - Throws: `BitpalError.plugin` when it breaks a rule, `.timedOut` when the time of the command is up.
  func ask(_ message: JSONObject, _ name: String, within left: Duration?) throws(BitpalError) -> PluginMessage {
    if let left, left <= .zero { throw .timedOut(provider: provider, limit: .zero) }
    return try onThread { host throws(PluginFault) in
      if host.process == nil { _ = try host.start() }
      let line = try host.say(message, name, limit: min(host.limits.call, left ?? host.limits.call))
      return try PluginMessage(line, answering: name)
    }
  }

  /// Ends the plugin, whatever it does, and returns when it has ended; a question starts it again.
  package func end() {
    RunningPlugins.remove(self)
    let thread = started.withLock { $0 }
    _ = thread?.sync { [self] in endProcess() }
  }

  // MARK: On the thread

  private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable (PluginHost) throws(PluginFault) -> Value
  ) throws(BitpalError) -> Value {
    guard let thread else { throw PluginFault.notStarted("the system has no more threads").error(of: provider) }
    let outcome = thread.sync { [self] () -> Result<Value, PluginFault> in
      var outcome: Result<Value, PluginFault>
      do throws(PluginFault) { outcome = .success(try body(self)) } catch { outcome = .failure(error) }
      showComplaints()
      if case .failure = outcome { endProcess() }
      return outcome
    }
    guard let outcome else { throw PluginFault.notStarted("it was ended").error(of: provider) }
    do throws(PluginFault) { return try outcome.get() } catch { throw error.error(of: provider) }
  }

  /// Starts the process and says hello.
  private func start() throws(PluginFault) -> PluginManifest {
    let launch = try PluginLaunch(program, variables: variables, isConfined: usesSandbox)
    do throws(PluginFault) {
      return try start(launch)
    } catch {
      // A sandbox that cannot be made, as in a container that allows no namespaces, is done without. Whether it cannot is
      // not for the plugin to say, which could end with the same words.
      guard case .ended = error, launch.isConfined,
        PluginLaunch.sandbox(in: program.folder, variables: variables) == .refused
      else { throw error }
      _ = process?.takeComplaints()
      endProcess()
      return try start(PluginLaunch(program, variables: variables, isConfined: false))
    }
  }

  private func start(_ launch: PluginLaunch) throws(PluginFault) -> PluginManifest {
    trace(.pluginStarted(provider: provider, command: launch.words.map { "\(ShellWord($0))" }.joined(separator: " ")))
    process = try PluginProcess(launch, limits: limits)
    RunningPlugins.add(self)
    let line = try say(PluginQuestion.hello, "hello", limit: limits.hello)
    let hello = try PluginManifest(line, limits: limits)
    memory.keep(line, of: program, identity)
    said = hello
    return hello
  }

  private func say(_ message: JSONObject, _ name: String, limit: Duration) throws(PluginFault) -> [UInt8] {
    guard let process else { throw .notStarted("it was ended") }
    let text = JSONValue.object(message).compact(.plain)
    trace(.pluginSaid(provider: provider, toPlugin: true, message: text))
    let line = try process.ask(Array(text.utf8), question: name, limit: limit)
    trace(.pluginSaid(provider: provider, toPlugin: false, message: String(decoding: line, as: UTF8.self)))
    return line
  }

  private func endProcess() {
    process?.end()
    process = nil
  }

  /// Passes on what it has complained of, as far as anybody wants to read that.
  private func showComplaints() {
    for line in process?.takeComplaints() ?? [] {
      shown += 1
      if shown <= limits.complaintLines { warn("\(provider): \(line.printable(limit: 200))") }
      if shown == limits.complaintLines + 1 { warn("\(provider): it says more, which is not shown") }
    }
  }
}

/// A process that is about to end, handed to the thread it belongs to.
///
/// Sendable holds because the sender does not use it any more.
private struct EndingProcess: @unchecked Sendable {
  private let process: PluginProcess?

  init(_ process: PluginProcess?) { self.process = process }

  func end() { process?.end() }
}
