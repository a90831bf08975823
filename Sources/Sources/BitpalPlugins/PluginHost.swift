import BitpalJSON
package import BitpalModel
package import BitpalProviders

/// A host that exchanges messages with a plugin: it starts the program at the first message and caches its manifest.
///
/// A plugin that breaks a rule is ended at once; the next question starts it again.
///
/// Sendable holds because `process`, `manifest` and `shown` are used only on `thread`.
package final class PluginHost: @unchecked Sendable {
  let provider: String
  let limits: PluginLimits

  /// The identity of the program at the time the host was made, a checksum of its command and files.
  let identity: String
  private let program: PluginProgram
  private let variables: [String: String]
  private let memory: ManifestCache
  private let trace: Trace
  private let warn: @Sendable (String) -> Void
  private let started = Locked<PluginThread?>(nil)
  private var process: PluginProcess?
  private var manifest: PluginManifest?
  private var shown = 0
  private let usesSandbox: Bool

  /// Creates a plugin host.
  ///
  /// - Parameters:
  ///   - provider: The id of the provider.
  ///   - program: The program to start.
  ///   - variables: The environment of this process, of which the plugin gets ``PluginLaunch/variables``.
  ///   - memory: The cache of manifests.
  ///   - trace: Receives the start and every message.
  ///   - warn: Receives the plugin's lines on standard error.
  ///   - limits: The limits of the plugin.
  ///   - usesSandbox: Whether it runs in a sandbox, where the system has one.
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
    // This is the only reference, so the thread is not using it.
    let process = EndingProcess(process)
    _ = thread.sync { process.end() }
    thread.stop()
  }

  /// The thread on which callers wait, made at its first use; nil when the system has no more threads.
  var thread: PluginThread? {
    started.withLock { started in
      if started == nil { started = PluginThread() }
      return started
    }
  }

  /// Returns the plugin's manifest: the cached one if the program has not changed, otherwise its answer to `hello`.
  ///
  /// - Throws: `BitpalError.plugin` when the program cannot be started, or its answer breaks a rule.
  func hello() throws(BitpalError) -> PluginManifest {
    if let line = memory.line(of: program, identity), let hello = try? PluginManifest(line, limits: limits) {
      return hello
    }
    return try onThread { host throws(PluginFault) in
      if host.process != nil, let manifest = host.manifest { return manifest }
      return try host.start()
    }
  }

  /// Sends a question, and returns the answer.
  ///
  /// - Parameters:
  ///   - name: The name of the question in failures.
  ///   - left: The time left for the command; nil when no deadline is set.
  /// - Throws: `BitpalError.plugin` when it cannot be started or breaks a rule, `.timedOut` when no time is left.
  func ask(_ message: JSONObject, _ name: String, within left: Duration?) throws(BitpalError) -> PluginMessage {
    if let left, left <= .zero { throw .timedOut(provider: provider, limit: .zero) }
    return try onThread { host throws(PluginFault) in
      if host.process == nil { _ = try host.start() }
      let line = try host.say(message, name, limit: min(host.limits.call, left ?? host.limits.call))
      return try PluginMessage(line, answering: name)
    }
  }

  /// Ends the plugin, also while it works, and returns when it has ended; the next question starts it again.
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
      showErrorText()
      if case .failure = outcome { endProcess() }
      return outcome
    }
    guard let outcome else { throw PluginFault.notStarted("it was ended").error(of: provider) }
    do throws(PluginFault) { return try outcome.get() } catch { throw error.error(of: provider) }
  }

  /// Starts the process and sends `hello`, without a sandbox where the system refuses one.
  private func start() throws(PluginFault) -> PluginManifest {
    let launch = try PluginLaunch(program, variables: variables, isConfined: usesSandbox)
    do throws(PluginFault) {
      return try start(launch)
    } catch {
      // A container may allow no namespaces; the plugin then runs without a sandbox. A test program finds that out,
      // because a plugin could write the messages of `bwrap` itself to escape from the sandbox.
      guard case .ended = error, launch.isConfined,
        PluginLaunch.sandbox(in: program.folder, variables: variables) == .refused
      else { throw error }
      _ = process?.takeErrorText()
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
    manifest = hello
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

  /// Passes on the first lines of its standard error, and reports once that there are more.
  private func showErrorText() {
    for line in process?.takeErrorText() ?? [] {
      shown += 1
      if shown <= limits.complaintLines { warn("\(provider): \(line.printable(limit: 200))") }
      if shown == limits.complaintLines + 1 { warn("\(provider): further lines are not shown") }
    }
  }
}

/// A process that is about to end, handed to the thread that owns it.
///
/// Sendable holds because the sender does not use the process any more.
private struct EndingProcess: @unchecked Sendable {
  private let process: PluginProcess?

  init(_ process: PluginProcess?) { self.process = process }

  func end() { process?.end() }
}
