import BitpalConfig
import BitpalModel
import BitpalService

/// Looks at the providers: those found, shadowed and bad, and whether their keys are set.
struct ProviderExamination {
  /// The configured providers that could be read, in order.
  let inUse: [ProviderSpecification]

  private let settings: Settings
  private let summaries: [ProviderSummary]
  private let catalog: ProviderCatalog

  init(_ session: Session, _ settings: Settings) {
    self.settings = settings
    catalog = ProviderCatalog(settings: settings)
    summaries = session.assembly(settings).providers()
    inUse = settings.provider.compactMap { [catalog] in try? catalog.specification(for: $0) }
  }

  /// The findings with that of a missing libcurl made bad when there is no source that can do without.
  func needingLibcurl(_ findings: [Finding]) -> [Finding] {
    let isNeeded = !inUse.isEmpty && inUse.allSatisfy(\.needsNetwork)
    return findings.map { finding in
      guard isNeeded, finding.subject == LibraryExamination.curl, finding.verdict == .warning else { return finding }
      return Finding(
        finding.topic, finding.subject, .bad, finding.message, fix: finding.fix, status: finding.status)
    }
  }

  var findings: [Finding] { unknown + summaries.map(finding) + keys }

  /// The configured ones that no file describes: recordings, and slips of the pen.
  private var unknown: [Finding] {
    settings.provider.filter { id in !summaries.contains { $0.id == id } }.map { id in
      do throws(BitpalError) {
        let specification = try catalog.specification(for: id)
        return Finding(.providers, id, "in use, \(specification.recordingFolder ?? specification.kind.name.rawValue)")
      } catch {
        return Finding(
          .providers, id, .bad, Finding.words(of: error), fix: "bitpal providers list", status: .configuration)
      }
    }
  }

  private func finding(_ summary: ProviderSummary) -> Finding {
    let place = summary.file ?? "built in"
    if summary.isShadowed {
      return Finding(.providers, summary.id, .note, "shadowed, never used: \(place)")
    }
    let isInUse = settings.provider.contains(summary.id)
    guard let problem = summary.problem else {
      return Finding(.providers, summary.id, isInUse ? .good : .note, (isInUse ? "in use, " : "") + place)
    }
    let words = Finding.words(of: problem)
    // Where the message ends with what to run, that is the command.
    let command = words.ranges(of: "; run: ").last
    return Finding(
      .providers, summary.id, isInUse ? .bad : .warning, command.map { String(words[..<$0.lowerBound]) } ?? words,
      fix: command.map { String(words[$0.upperBound...]) } ?? "bitpal providers check \(ShellWord(summary.id))",
      status: .configuration)
  }

  /// Whether each provider's key is set; the keys themselves are not looked at.
  private var keys: [Finding] {
    summaries.compactMap { summary in
      guard !summary.isShadowed, let isSet = summary.isKeySet,
        let specification = try? catalog.specification(for: summary.id), let name = specification.keyEnvironment
      else { return nil }
      if isSet, specification.untrustedFolder != nil {
        return Finding(
          .providers, name, .warning, "set, for \(summary.id), and not used: the settings are not trusted",
          fix: "bitpal trust")
      }
      if isSet { return Finding(.providers, name, "set, for \(summary.id)") }
      let needsOne = specification.needsKey && settings.provider.contains(summary.id)
      return Finding(
        .providers, name, needsOne ? .warning : .note, "not set, for \(summary.id)",
        fix: needsOne ? "export \(name)_FILE=$HOME/.config/bitpal/key" : nil)
    }
  }
}
