import Bitpal
import BitpalConfig
import BitpalFleet
import BitpalModel
import BitpalOutput

/// The check of the Redis server of a fleet, if there is one.
struct FleetCheck {
  private let session: Session
  private let settings: Settings

  init(_ session: Session, _ settings: Settings) {
    self.session = session
    self.settings = settings
  }

  var findings: [Finding] {
    guard let fleet = settings.fleet else { return [] }
    return password + server(fleet) + Self.way(to: fleet.address)
  }

  /// The finding about whether a password is set; the password itself is not read.
  private var password: [Finding] {
    let name = "BITPAL_REDIS_PASSWORD"
    let variable = [name, name + "_FILE"].first { session.environment.value($0) != nil }
    return [
      Finding(.fleet, variable ?? name, variable == nil ? .note : .good, variable == nil ? "not set" : "set")
    ]
  }

  private func server(_ settings: FleetSettings) -> [Finding] {
    guard session.options.policy != .offline else {
      return [Finding(.fleet, "redis", .note, "\(settings.address), not asked: --offline")]
    }
    do {
      guard let fleet = try session.assembly(self.settings).fleet() else { return [] }
      return Self.findings(of: try fleet.health(), settings)
    } catch let fault as FleetFault {
      return [Self.finding(of: fault, settings)]
    } catch {
      // Without the password no source gets requests, so that no budget is counted twice.
      let (message, command) = Finding.advice(of: error)
      return [Finding(.fleet, "redis", .bad, message, fix: command)]
    }
  }

  /// Returns the finding for a server that cannot be used; prices are still available.
  static func finding(of fault: FleetFault, _ settings: FleetSettings) -> Finding {
    var fix: String?
    if case .refused(let refusal) = fault, ["NOAUTH", "WRONGPASS"].contains(refusal.code) {
      fix = "export BITPAL_REDIS_PASSWORD_FILE=$HOME/.config/bitpal/redis-password"
    }
    return Finding(
      .fleet, "redis", .warning,
      "\(settings.address), \(fault.message); this machine keeps to its share of each budget, 1 of \(settings.members)",
      fix: fix)
  }

  /// Returns the findings for a server that answers.
  static func findings(of health: FleetHealth, _ settings: FleetSettings) -> [Finding] {
    let version = health.version.map { ", Redis \($0)" } ?? ""
    var findings = [
      Finding(
        .fleet, "redis",
        "\(settings.address)\(version), answers in \(health.roundTrip.finelyText); "
          + "\(health.answers) answer\(health.answers == 1 ? "" : "s") and \(health.budgets) "
          + "budget\(health.budgets == 1 ? "" : "s") of at most \(settings.members) machines")
    ]
    if health.isReplica {
      findings.append(
        Finding(
          .fleet, "role", .warning, "a replica, which takes nothing that is written: name its primary in fleet.redis"))
    }
    if let policy = health.evictionPolicy, policy != "noeviction", !policy.hasPrefix("volatile-") {
      findings.append(
        Finding(
          .fleet, "memory", .warning, "when it is full, budgets are forgotten too: maxmemory-policy is \(policy)",
          fix: "redis-cli config set maxmemory-policy volatile-lru"))
    }
    for (budget, lists) in health.differing.sorted(by: { $0.key < $1.key }) {
      let provider = budget.prefix { $0 != " " }
      findings.append(
        Finding(
          .fleet, "settings", .warning,
          "machines have different limits for \(provider), \(lists.joined(separator: " and ")): all keep to all of them"
        ))
    }
    if !health.missingRights.isEmpty {
      findings.append(
        Finding(
          .fleet, "rights", .warning,
          "the user may not run \(health.missingRights.joined(separator: ", ")): see docs/fleet.md for its rights"))
    }
    return findings
  }

  /// Returns a finding for unencrypted traffic to another machine.
  private static func way(to address: FleetAddress) -> [Finding] {
    guard case .host(let host, _, isEncrypted: false) = address.place,
      !["localhost", "[::1]"].contains(host), !host.hasPrefix("127.")
    else { return [] }
    return [
      Finding(
        .fleet, "way", .note, "not encrypted: who is between can read the password and the answers; rediss:// is TLS")
    ]
  }
}

extension Duration {
  /// The duration with tenths of a millisecond: `0.3 ms`.
  fileprivate var finelyText: String {
    let tenths = max(0, milliseconds) * 10 + components.attoseconds / 100_000_000_000_000 % 10
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
