import BitpalConfig
import BitpalModel
import BitpalProviders
import BitpalRateLimit
import BitpalService
import FoundationEssentials

/// Looks at the clock: where it stands still, and elsewhere whether the sources can be reached and agree with it.
struct ClockCheck {
  /// The width of the narrowest candle: a clock with a larger error puts prices into the wrong one.
  private static let tolerance: Duration = .seconds(60)

  private let session: Session
  private let settings: Settings
  private let providers: ProviderCheck

  init(_ session: Session, _ settings: Settings, _ providers: ProviderCheck) {
    self.session = session
    self.settings = settings
    self.providers = providers
  }

  func findings() async -> [DoctorFinding] {
    [standing].compactMap(\.self) + (await sources())
  }

  /// The reason for which the clock stands still; nil when it does not.
  private var standing: DoctorFinding? {
    if let now = session.options.now {
      return DoctorFinding(.clock, "clock", .note, "stands at \(now.utcText), by --now")
    }
    guard providers.inUse.first?.needsNetwork == false,
      let service = try? Assembly(settings: settings, environment: session.environment).priceService(),
      service.time is FrozenTime
    else { return nil }
    return DoctorFinding(.clock, "clock", .note, "stands still at \(service.time.now.utcText), as recorded")
  }

  private func sources() async -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    let probe = SourceProbe(budgets: BudgetFile(path: session.environment.budgetFile))
    for specification in providers.inUse {
      guard let url = specification.probeURL else { continue }
      if session.options.policy == .offline {
        findings.append(DoctorFinding(.network, specification.id, .note, "not asked: --offline"))
        continue
      }
      do {
        let answer = try await probe.ask(specification, at: url)
        findings.append(DoctorFinding(.network, specification.id, "reached"))
        if let ahead = answer.clockAhead { findings.append(Self.comparison(ahead, specification.id)) }
      } catch {
        // A retry does not fix a budget; the advice is beside the budgets.
        let isBudget = (error as? BitpalError)?.code == .rateLimited
        findings.append(
          DoctorFinding(
            .network, specification.id, .warning, DoctorFinding.message(of: error),
            fix: isBudget ? nil : "curl -sS -o /dev/null -w '%{http_code}\\n' \(ShellWord(url))"))
      }
    }
    return findings
  }

  /// Returns the finding for a difference.
  ///
  /// - Parameter ahead: The time by which our clock is ahead of the source's; below zero when it is behind.
  static func comparison(_ ahead: Duration, _ source: String) -> DoctorFinding {
    let distance = ahead < .zero ? .zero - ahead : ahead
    guard distance > tolerance else { return DoctorFinding(.clock, source, "agrees with the source's") }
    return DoctorFinding(
      .clock, source, .warning, "\(distance.shortText) \(ahead < .zero ? "behind" : "ahead of") the source's",
      fix: "timedatectl set-ntp true")
  }
}
