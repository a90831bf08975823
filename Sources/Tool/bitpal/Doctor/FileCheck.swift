import BitpalCache
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalRateLimit
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

  var findings: [Finding] {
    var findings: [Finding] = []
    if let settings {
      findings.append(Self.settings(settings))
      findings += settings.warnings.map { Finding(.files, "settings", .warning, $0) }
      if let cache = settings.cache.path {
        findings.append(
          Self.database(
            .files, "cache", cache, PriceCache.health(of: cache), fix: "bitpal cache clear",
            elsewhere: "export BITPAL_CACHE=/tmp/bitpal-cache.db"))
      } else {
        findings.append(Finding(.files, "cache", .warning, "none: answers are kept in memory only"))
      }
    }
    findings += budgets
    guard let home = environment.dataHome else {
      let message = "HOME is not set, so the folder for it is unknown"
      return findings + [Finding(.data, "user data", .warning, message, fix: "export HOME=~")]
    }
    let data = home + "/bitpal/bitpal.db"
    return findings + [
      Self.database(
        .data, "user data", data, UserDataFile.health(of: data), fix: "bitpal portfolio restore FILE",
        elsewhere: "export XDG_DATA_HOME=$HOME/.local/share")
    ]
  }

  /// The findings about request budgets and pauses, which explain why a source gets no requests.
  private var budgets: [Finding] {
    let file = BudgetFile(path: environment.budgetFile)
    let health = file.health
    let place = Self.database(
      .files, "budgets", file.path, health, fix: "rm \(ShellWord(file.path))",
      elsewhere: "export XDG_STATE_HOME=$HOME/.local/state")
    // Opening any other database would change it, and the doctor changes nothing.
    guard health == .sound else { return [place] }
    return [place]
      + file.standings().flatMap { standing in
        // Short windows end before the user has read the finding.
        let used = standing.usage.filter { $0.limit.window > .seconds(3600) }.map { usage in
          Finding(
            .files, "budgets",
            "\(standing.provider): \(usage.used) of \(usage.limit.limit) requests used in \(usage.limit.window.unitText)"
          )
        }
        let pause = standing.pause.map { left in
          Finding(
            .files, "budgets", .warning,
            "\(standing.provider) has asked for a pause and is not asked for another \(left.shortText)",
            fix: "bitpal cache clear --budgets")
        }
        return used + (pause.map { [$0] } ?? [])
      }
  }

  private static func settings(_ settings: Settings) -> Finding {
    guard let path = settings.file?.path else {
      return Finding(
        .files, "settings", .note, "no file: the built-in defaults are in force", fix: "bitpal config init")
    }
    if settings.trust != .trusted {
      return Finding(.files, "settings", .warning, "\(path), not trusted as it is now", fix: "bitpal trust")
    }
    return Finding(.files, "settings", access(path, W_OK) == 0 ? path : "\(path), read-only")
  }

  /// Returns the finding about a database: its content, and whether it can be made and written.
  ///
  /// - Parameters:
  ///   - fix: The command that replaces damaged content.
  ///   - elsewhere: The command that moves the file where it can be made.
  private static func database(
    _ topic: Finding.Topic, _ subject: String, _ path: String, _ health: DatabaseHealth, fix: String,
    elsewhere: String
  ) -> Finding {
    let isPrecious = topic == .data
    func wrong(_ message: String, fix: String? = nil) -> Finding {
      Finding(topic, subject, isPrecious ? .bad : .warning, "\(path), \(message)", fix: fix)
    }
    switch health {
    case .absent: return unmade(topic, subject, path, elsewhere: elsewhere)
    case .foreign: return wrong("belongs to another program; it is left untouched")
    case .newer: return wrong("was written by a newer bitpal", fix: isPrecious ? nil : fix)
    case .damaged(let message): return wrong("damaged (\(message))", fix: fix)
    case .unreadable(let message): return wrong("cannot be read (\(message))")
    case .sound:
      if access(path, W_OK) == 0 { return Finding(topic, subject, path) }
      return Finding(
        topic, subject, .warning, "\(path) cannot be written", fix: "chmod u+rw \(ShellWord(path))")
    }
  }

  /// Returns the finding about whether a missing file can be made.
  private static func unmade(
    _ topic: Finding.Topic, _ subject: String, _ path: String, elsewhere: String
  ) -> Finding {
    var folder = path
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      guard access(folder, F_OK) == 0 else { continue }
      guard (try? FileStatus(folder))?.kind == .folder else {
        return Finding(
          topic, subject, .warning, "\(path) cannot be made: \(folder) is not a folder", fix: elsewhere)
      }
      break
    }
    if access(folder, W_OK) == 0 { return Finding(topic, subject, .note, "\(path), not created yet") }
    return Finding(
      topic, subject, .warning, "\(path) cannot be made: \(folder) cannot be written",
      fix: "chmod u+rwx \(ShellWord(folder))")
  }
}
