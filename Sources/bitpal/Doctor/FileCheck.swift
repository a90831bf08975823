import BitpalCache
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalPortfolio
import BitpalRateLimit
import BitpalSQLite
import Glibc

/// The check of the files: those in use, whether they are writable, and whether the databases are sound.
struct FileCheck {
  private let environment: Environment
  private let settings: Settings?

  /// Creates a check.
  ///
  /// - Parameter settings: The settings; nil when they are bad, which restricts the check to what does not depend on
  ///   them.
  init(_ environment: Environment, _ settings: Settings?) {
    self.environment = environment
    self.settings = settings
  }

  var findings: [DoctorFinding] {
    var findings: [DoctorFinding] = []
    if let settings {
      findings.append(Self.settings(settings))
      findings += settings.warnings.map { DoctorFinding(.files, "settings", .warning, $0) }
      if let cache = settings.cache.path {
        findings.append(Self.place("cache", cache, elsewhere: "export BITPAL_CACHE=/tmp/bitpal-cache.db"))
        findings.append(Self.health("cache", PriceCache.health(of: cache), fix: "bitpal cache clear"))
      } else {
        findings.append(DoctorFinding(.files, "cache", .warning, "none: answers are kept in memory only"))
      }
    }
    findings += budgets
    if let home = environment.dataHome {
      let data = home + "/bitpal/bitpal.db"
      findings.append(Self.place("user data", data, elsewhere: "export XDG_DATA_HOME=$HOME/.local/share"))
      findings.append(
        Self.health(
          "user data", UserDataFile.health(of: data), fix: "bitpal portfolio restore FILE", isPrecious: true))
    } else {
      findings.append(
        DoctorFinding(.files, "user data", .warning, "HOME is not set, so its folder is unknown", fix: "export HOME=~"))
    }
    // The places of all files come before their contents.
    return findings.filter { $0.topic == .files } + findings.filter { $0.topic != .files }
  }

  /// The findings about request budgets and pauses, which explain why a source gets no requests.
  private var budgets: [DoctorFinding] {
    let file = BudgetFile(path: environment.budgetFile)
    let health = file.health
    let findings = [
      Self.place("budgets", file.path, elsewhere: "export XDG_STATE_HOME=$HOME/.local/state"),
      Self.health("budgets", health, fix: "rm \(ShellWord(file.path))"),
    ]
    // Opening any other database would change it, and the doctor changes nothing.
    guard health == .sound else { return findings }
    return findings
      + file.standings().flatMap { standing in
        // Short windows end before the user has read the finding.
        let used = standing.usage.filter { $0.limit.window > .seconds(3600) }.map { usage in
          DoctorFinding(
            .data, "budgets",
            "\(standing.provider): \(usage.used) of \(usage.limit.limit) requests used in \(usage.limit.window.unitText)"
          )
        }
        let pause = standing.pause.map { left in
          DoctorFinding(
            .data, "budgets", .warning,
            "\(standing.provider) has asked for a pause and is not asked for another \(left.shortText)",
            fix: "bitpal cache clear --budgets")
        }
        return used + (pause.map { [$0] } ?? [])
      }
  }

  private static func settings(_ settings: Settings) -> DoctorFinding {
    guard let path = settings.file?.path else {
      return DoctorFinding(
        .files, "settings", .note, "no file: the built-in defaults are in force", fix: "bitpal config init")
    }
    if settings.trust != .trusted {
      return DoctorFinding(.files, "settings", .warning, "\(path), not trusted as it is now", fix: "bitpal trust")
    }
    return DoctorFinding(.files, "settings", access(path, W_OK) == 0 ? path : "\(path), read-only")
  }

  /// Returns the finding about whether a file of bitpal's can be created and written.
  private static func place(_ subject: String, _ path: String, elsewhere: String) -> DoctorFinding {
    if access(path, F_OK) == 0 {
      if access(path, W_OK) == 0 { return DoctorFinding(.files, subject, path) }
      return DoctorFinding(
        .files, subject, .warning, "\(path) cannot be written", fix: "chmod u+rw \(ShellWord(path))")
    }
    var folder = path
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      guard access(folder, F_OK) == 0 else { continue }
      guard (try? FileStatus(folder))?.kind == .folder else {
        return DoctorFinding(
          .files, subject, .warning, "\(path) cannot be made: \(folder) is not a folder", fix: elsewhere)
      }
      break
    }
    if access(folder, W_OK) == 0 { return DoctorFinding(.files, subject, "\(path), not made yet") }
    return DoctorFinding(
      .files, subject, .warning, "\(path) cannot be made: \(folder) cannot be written",
      fix: "chmod u+rwx \(ShellWord(folder))")
  }

  /// Returns the finding about the health of a database.
  ///
  /// - Parameter isPrecious: Whether the file has user data, so that damage is bad and not only a warning.
  private static func health(
    _ subject: String, _ health: DatabaseHealth, fix: String, isPrecious: Bool = false
  ) -> DoctorFinding {
    let verdict = isPrecious ? DoctorFinding.Verdict.bad : .warning
    let status = isPrecious ? ExitStatus.dataFile : .answered
    func wrong(_ message: String, fix: String? = nil) -> DoctorFinding {
      DoctorFinding(.data, subject, verdict, message, fix: fix, status: status)
    }
    return switch health {
    case .absent: DoctorFinding(.data, subject, .note, "nothing kept yet")
    case .sound: DoctorFinding(.data, subject, "sound")
    case .foreign: wrong("the file belongs to another program; it is left untouched")
    case .newer: wrong("the file was written by a newer bitpal", fix: isPrecious ? nil : fix)
    case .damaged(let message): wrong("damaged (\(message))", fix: fix)
    case .unreadable(let message): wrong("cannot be read (\(message))")
    }
  }
}
