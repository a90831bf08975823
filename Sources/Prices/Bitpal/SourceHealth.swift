import BitpalModel
import BitpalProviders
import BitpalRateLimit
import FoundationEssentials

/// A circuit breaker: decides, without a clock of its own, for how long a source that has failed is not asked.
///
/// Failures count over time and not per question: one within a pause changes nothing, one after it starts the next
/// pause, and a good answer ends all. When a pause is over, one request is the probe; the others wait for its outcome.
struct CoolDownRule: Hashable, Sendable {
  /// The length of the first pause, which doubles with each further one up to ``usual``.
  var shortest: Duration = .seconds(5)

  /// The longest pause of an outage of up to ten minutes, so that recovery is seen within it: 30 s.
  ///
  /// A refused key, of which another request changes nothing, has it from the start.
  var usual: Duration = .seconds(30)

  /// The length of the first pause after an answer that the source will repeat, such as an unknown currency.
  var ofAnswer: Duration = .seconds(60)

  /// The part of an outage's length that a pause may have: a twentieth.
  var part = 20

  /// The longest pause of all: 5 min, and an hour for a refused key and for an answer that the source will repeat.
  var longest: Duration = .seconds(300)
  var longestOfAnswer: Duration = .seconds(3600)

  /// The time for which other requests wait for the outcome of a probe, which may die with its process.
  var probe: Duration = Deadline.standard

  /// Returns the length of a pause.
  ///
  /// - Parameters:
  ///   - number: The number of the pause since the last good answer, from 1.
  ///   - outage: The time since the first failure.
  func pause(_ number: Int, after outage: Duration, because error: BitpalError) -> Duration {
    let growing = outage / part
    switch error {
    // A server of ours says for how long its own source is not asked.
    case .coolingDown(_, let left, _): return min(left, usual)
    case .unauthorized: return min(max(usual, growing), longestOfAnswer)
    case .unsupportedCurrency: return min(max(ofAnswer, growing), longestOfAnswer)
    default: return min(max(min(shortest * (1 << min(number - 1, 10)), usual), growing), longest)
    }
  }

  /// Returns a failure after one more at `now`; a failure within a pause changes nothing.
  func after(_ known: SourceFailures.Failure?, failingAt now: Date, _ error: BitpalError) -> SourceFailures.Failure {
    // A clock that was set back makes what is known worthless.
    guard let known, now.since(known.first) >= .zero else {
      let pause = pause(1, after: .zero, because: error)
      return SourceFailures.Failure(
        first: now, last: now, end: now.adding(pause), pauses: 1, code: error.code, message: error.keptText)
    }
    guard known.isProbed || pauseLeft(known, now: now) == nil else { return known }
    let pause = pause(known.pauses + 1, after: now.since(known.first), because: error)
    return SourceFailures.Failure(
      first: known.first, last: now, end: now.adding(pause), pauses: known.pauses + 1, code: error.code,
      message: error.keptText)
  }

  /// Returns the rest of a pause; nil when the source may be asked.
  func pauseLeft(_ known: SourceFailures.Failure?, now: Date) -> Duration? {
    guard let known, now.since(known.last) >= .zero else { return nil }
    let left = known.end.since(now)
    return left > .zero && left <= max(longestOfAnswer, probe) ? left : nil
  }

  /// Returns a failure whose probe is under way from `now` on.
  func probed(_ known: SourceFailures.Failure, at now: Date) -> SourceFailures.Failure {
    var failure = known
    (failure.isProbed, failure.end) = (true, now.adding(probe))
    return failure
  }
}

/// The memory of what a source has failed with, which holds requests back for a while, in all processes of the machine.
///
/// A failure that is certainly the source's own (unreachable, unavailable, a refused key) holds all requests back. Any
/// other first holds the same question back, and all requests when a second question fails with nothing good between.
struct SourceHealth: Sendable {
  /// The store that keeps the failures for all processes.
  let budgets: any BudgetStore
  let time: any TimeSource

  /// Returns the fingerprint of a provider's key.
  let owner: @Sendable (_ provider: String) -> String

  private static let rule = CoolDownRule()

  /// Whether a request is a probe, which is not repeated, or an ordinary one.
  enum Pass: Hashable, Sendable {
    case ordinary
    case probe
  }

  /// Returns the failures of coins for which a source is not asked now, by coin; empty where it may be asked for all.
  func refusals(of question: Question, at provider: any PriceProvider) -> [String: BitpalError] {
    guard let known = failures(of: provider) else { return [:] }
    return refusals(of: question, at: provider, by: known)
  }

  /// Returns the failure with which a question about one coin ended last, also when its pause is over; nil after a good
  /// answer, and where none is remembered.
  func lastFailure(of question: Question, at provider: any PriceProvider) -> BitpalError? {
    guard let known = failures(of: provider), let coin = question.coins.first else { return nil }
    let names = question.names + [question.nameOfSeveral]
    return (known.whole ?? names.lazy.compactMap { known.questions[$0] }.first).map { failure in
      let left = Self.rule.pauseLeft(failure, now: time.now) ?? .zero
      return failure.error(of: provider.descriptor.id, about: coin, question, left: left)
    }
  }

  /// Lets a request pass that is about to be sent; where a pause is over, the request becomes the probe.
  ///
  /// - Throws: The failure that is remembered, when another request has failed or become the probe meanwhile.
  func admit(_ question: Question, at provider: any PriceProvider) throws(BitpalError) -> Pass {
    guard let known = failures(of: provider) else { return .ordinary }
    let coins = question.coins
    func refusal(_ known: SourceFailures) -> BitpalError? {
      let refusals = refusals(of: question, at: provider, by: known)
      return coins.lazy.compactMap { refusals[$0] }.first
    }
    if let refusal = refusal(known) { throw refusal }
    let names = question.names
    guard known.whole != nil || names.contains(where: { known.questions[$0] != nil }) else { return .ordinary }
    let refused = Locked(BitpalError?.none)
    change(provider) { known in
      let found = refusal(known)
      refused.withLock { $0 = found }
      guard found == nil else { return }
      known.whole = known.whole.map { Self.rule.probed($0, at: time.now) }
      for name in names { known.questions[name] = known.questions[name].map { Self.rule.probed($0, at: time.now) } }
    }
    if let refused = refused.withLock({ $0 }) { throw refused }
    return .probe
  }

  /// Returns whether a request that has failed may be repeated at once: not while the source's failure is remembered.
  func mayRepeat(at provider: any PriceProvider) -> Bool { failures(of: provider)?.whole == nil }

  /// Records the failure of a request; one that is remembered elsewhere, or that no request caused, only ends a probe.
  func note(_ error: BitpalError, of question: Question, at provider: any PriceProvider) {
    guard error.isRemembered else { return end(question, at: provider, isGood: error.has(.provesSourceHealthy)) }
    change(provider) { $0.add(error, of: question, by: Self.rule, at: time.now) }
  }

  /// Records an answer, and the failures of the coins that it lacks.
  func note(_ reply: ProviderAnswer, to question: Question, at provider: any PriceProvider) {
    let lacking = question.coins.filter { reply.answers[$0] == nil }
    let failures = lacking.compactMap { coin in reply.failures[coin].map { (question.about([coin]), $0) } }
    let remembered = failures.filter { $0.1.isRemembered }
    let isGood = lacking.count < question.coins.count || failures.contains { $0.1.has(.provesSourceHealthy) }
    guard !remembered.isEmpty || self.failures(of: provider) != nil else { return }
    change(provider) { known in
      known.end(question, isGood: isGood, except: remembered.map(\.0), at: time.now)
      for (question, error) in remembered { known.add(error, of: question, by: Self.rule, at: time.now) }
    }
  }

  /// Records that a source works, or that a probe has found nothing out.
  func end(_ question: Question, at provider: any PriceProvider, isGood: Bool) {
    guard failures(of: provider) != nil else { return }
    change(provider) { $0.end(question, isGood: isGood, at: time.now) }
  }

  private func refusals(
    of question: Question, at provider: any PriceProvider, by known: SourceFailures
  ) -> [String: BitpalError] {
    let now = time.now
    func refusal(_ failure: SourceFailures.Failure?, _ coin: String) -> BitpalError? {
      guard let failure, let left = Self.rule.pauseLeft(failure, now: now) else { return nil }
      return failure.error(of: provider.descriptor.id, about: coin, question, left: left)
    }
    var refusals: [String: BitpalError] = [:]
    for coin in question.coins {
      let names = question.names + (question.coins.count > 1 ? question.about([coin]).names : [])
      refusals[coin] =
        refusal(known.whole, coin) ?? names.lazy.compactMap { refusal(known.questions[$0], coin) }.first
    }
    return refusals
  }

  private func name(of provider: any PriceProvider) -> String {
    "\(provider.descriptor.cacheIdentity) \(owner(provider.descriptor.id))"
  }

  private func failures(of provider: any PriceProvider) -> SourceFailures? {
    provider.descriptor.needsNetwork ? budgets.failures(of: name(of: provider)) : nil
  }

  private func change(_ provider: any PriceProvider, _ body: (inout SourceFailures) -> Void) {
    guard provider.descriptor.needsNetwork else { return }
    budgets.changeFailures(of: name(of: provider)) { known in
      var failures = known ?? SourceFailures()
      body(&failures)
      failures.trim()
      return failures.isEmpty ? nil : failures
    }
  }
}

extension SourceFailures {
  /// Adds the failure of a question, which may be that of the source as a whole.
  fileprivate mutating func add(_ error: BitpalError, of question: Question, by rule: CoolDownRule, at now: Date) {
    let name = question.name(failingWith: error)
    if error.isOfSource {
      suspects.insert(name)
      if whole != nil || error.isCertainlyOfSource || suspects.count >= error.questionsThatProveIt {
        whole = rule.after(whole, failingAt: now, error)
      }
    } else {
      endProbe(isGood: error.has(.provesSourceHealthy), at: now)
    }
    questions[name] = rule.after(questions[name], failingAt: now, error)
  }

  /// Ends what a question has found out: an answer removes its failure, anything else lets the next request be the
  /// probe.
  fileprivate mutating func end(_ question: Question, isGood: Bool, except failed: [Question] = [], at now: Date) {
    endProbe(isGood: isGood, at: now)
    let kept = Set(failed.flatMap(\.names))
    let single = question.coins.count > 1 ? question.coins.flatMap { question.about([$0]).names } : []
    for name in question.names + single where !kept.contains(name) {
      if isGood { questions[name] = nil } else if questions[name]?.isProbed == true { questions[name]?.end = now }
    }
  }

  private mutating func endProbe(isGood: Bool, at now: Date) {
    guard isGood else {
      if whole?.isProbed == true { whole?.end = now }
      return
    }
    // After an outage every question may be asked again.
    if whole != nil { questions = questions.filter { !$0.value.code.consequences.then.contains(.isOfSource) } }
    (whole, suspects) = (nil, [])
  }
}

extension Question {
  /// The names under which a failure that holds this question back is kept.
  fileprivate var names: [String] {
    (currency.isEmpty ? [] : [currencyName]) + (coins.count > 1 ? [nameOfSeveral] : []) + [ownName]
  }

  /// Returns the name under which a failure of this question is kept.
  ///
  /// A source that refuses a question about several coins may refuse one of them, so only the same coins are held back.
  fileprivate func name(failingWith error: BitpalError) -> String {
    if error.code == .unsupportedCurrency { return currencyName }
    return coins.count > 1 && !error.isAboutQuestion ? nameOfSeveral : ownName
  }

  private var currencyName: String { "currency \(currency)" }
  fileprivate var nameOfSeveral: String { "\(subject) of several" }

  private var ownName: String {
    let names = coins.sorted().joined(separator: ",")
    return "\(subject) of " + (coins.count == 1 ? names : String(SHA256.hexDigest(of: Array(names.utf8)).prefix(16)))
  }

  private var subject: String {
    var parts = [kind.rawValue, currency, range]
    if case .closes(let days, let needed) = form {
      parts += ["\(days.lowerBound.dayText)/\(days.upperBound.dayText)", needed.unitText]
    }
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension BitpalError {
  /// Whether the failure is that of a request, and is not remembered in the cache or in the budget.
  fileprivate var isRemembered: Bool {
    switch self {
    // A proxy's refusal is corrected on this machine.
    case .refused(_, 407, _): false
    case .unauthorized, .coolingDown, .refused, .network, .unreadable, .plugin, .noPrice, .noData, .planLimit: true
    // With a currency of its own the source has answered, which the cache keeps.
    case .unsupportedCurrency(_, _, let supported): supported.isEmpty
    // A shorter limit is the caller's.
    case .timedOut(_, let limit): limit >= Self.shortestPatience
    default: false
    }
  }

  /// The shortest time limit that is long enough for a source that works.
  private static var shortestPatience: Duration { .seconds(5) }

  /// Whether any other request would fail too: without a connection, with a refused key, while the server is down.
  fileprivate var isCertainlyOfSource: Bool {
    switch self {
    case .unauthorized, .network(_, _, _, isSent: false), .network(_, _, isFinal: true, _): true
    case .refused(_, let status, _): [502, 503, 504].contains(status) || status >= 520
    default: false
    }
  }

  /// Whether the source refuses the question and not all of them: HTTP 400 to 499.
  fileprivate var isAboutQuestion: Bool {
    if case .refused(_, 400...499, _) = self { true } else { false }
  }

  /// The number of questions that fail, with nothing good between, from which on the source as a whole fails.
  fileprivate var questionsThatProveIt: Int { isAboutQuestion ? 4 : 2 }

  /// The part of the failure that ``SourceFailures/Failure`` keeps: the reason of an answer, otherwise the message.
  fileprivate var keptText: String {
    switch self {
    case .noPrice(_, _, let reason): reason ?? ""
    case .noData(let question, _): question
    case .planLimit(_, let reason, _): reason
    case .coolingDown(_, _, let last): last
    default: message
    }
  }
}

extension SourceFailures.Failure {
  /// Returns the failure of a question that is not asked: an answer again, or the source's failure with its countdown.
  fileprivate func error(
    of provider: String, about coin: String, _ question: Question, left: Duration
  ) -> BitpalError {
    switch code {
    case .unsupportedCurrency: .unsupportedCurrency(question.currency, provider: provider, supported: [])
    case .noPrice: .noPrice(coin: coin, provider: provider, reason: message.isEmpty ? nil : message)
    case .noData: .noData(question: message, provider: provider)
    case .planLimit: .planLimit(provider: provider, reason: message)
    default: .coolingDown(provider: provider, left: left, last: message)
    }
  }
}
