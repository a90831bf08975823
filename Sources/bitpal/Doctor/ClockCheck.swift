import BitpalConfig
import BitpalModel
import BitpalProviders
import BitpalRateLimit
import BitpalService
import FoundationEssentials

/// The check of the clock: whether it stands still, otherwise whether the sources are reachable and agree with it.
struct ClockCheck {
  /// The tolerated difference, the width of the narrowest candle: a larger one puts prices into the wrong candle.
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

  /// The finding for a clock that stands still; nil when it runs.
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
        // A retry does not help with a used-up budget; the findings about budgets have the advice.
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
  /// - Parameter ahead: The time by which this machine's clock is ahead of the source's; negative when it is behind.
  static func comparison(_ ahead: Duration, _ source: String) -> DoctorFinding {
    let distance = ahead < .zero ? .zero - ahead : ahead
    guard distance > tolerance else { return DoctorFinding(.clock, source, "agrees with the source's") }
    return DoctorFinding(
      .clock, source, .warning, "\(distance.shortText) \(ahead < .zero ? "behind" : "ahead of") the source's",
      fix: "timedatectl set-ntp true")
  }
}
