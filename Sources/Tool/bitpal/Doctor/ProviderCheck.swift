import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPlugins
import BitpalProviders
import BitpalRateLimit

/// The check of the providers: those found, shadowed and bad, and whether their keys are set.
struct ProviderCheck {
  /// The configured providers that can be read, in order.
  let inUse: [ProviderSpecification]

  private let settings: Settings
  private let summaries: [ProviderSummary]
  private let catalog: ProviderCatalog
  private let variables: [String: String]

  init(_ session: Session, _ settings: Settings) {
    self.settings = settings
    catalog = ProviderCatalog(settings: settings)
    let assembly = session.assembly(settings)
    summaries = assembly.providers() + assembly.withheldPlugins()
    variables = session.environment.variables
    inUse = settings.provider.compactMap { [catalog] in try? catalog.specification(for: $0) }
  }

  /// Returns the findings; a missing libcurl is bad when every source in use needs the network.
  func needingLibcurl(_ findings: [Finding]) -> [Finding] {
    let isNeeded = !inUse.isEmpty && inUse.allSatisfy(\.needsNetwork)
    return findings.map { finding in
      guard isNeeded, finding.subject == LibraryCheck.curl, finding.verdict == .warning else { return finding }
      return Finding(
        finding.topic, finding.subject, .bad, finding.message, fix: finding.fix)
    }
  }

  var findings: [Finding] { unknown + summaries.map(finding) + keys + sandbox }

  /// The ids of the providers of prices, and those of exchange rates if the settings choose them.
  private var chosen: [String] {
    settings.provider
      + (settings.isConvertChosen ? settings.convert.filter { !settings.provider.contains($0) } : [])
  }

  /// The findings about configured providers without a file: recordings, and misspelled ids.
  private var unknown: [Finding] {
    chosen.filter { id in !summaries.contains { $0.id == id } }.map { id in
      do throws(BitpalError) {
        let specification = try catalog.specification(for: id)
        return Finding(
          .providers, id, "in use, \(specification.kind.localPath ?? specification.kindName)")
      } catch {
        return Finding(
          .providers, id, .bad, Finding.message(of: error), fix: "bitpal providers list")
      }
    }
  }

  private func finding(_ summary: ProviderSummary) -> Finding {
    let place = summary.file ?? "built in"
    if summary.isShadowed {
      return Finding(.providers, summary.id, .note, "overridden, not used: \(place)")
    }
    let isInUse = settings.provider.contains(summary.id) || settings.convert.contains(summary.id)
    let use =
      settings.provider.contains(summary.id) ? "in use, " : isInUse ? "in use for what currencies cost, " : ""
    guard summary.isTrusted else {
      return Finding(
        .providers, summary.id, isInUse ? .bad : .warning,
        use + "a plugin that is not started, because the settings are not trusted: \(place)", fix: "bitpal trust")
    }
    guard let problem = summary.problem else {
      return Finding(.providers, summary.id, isInUse ? .good : .note, use + place)
    }
    let (message, command) = Finding.advice(of: problem)
    return Finding(
      .providers, summary.id, isInUse ? .bad : .warning, message,
      fix: command ?? "bitpal providers check \(ShellWord(summary.id))")
  }

  /// The findings about the sandbox of plugins; empty without plugins.
  private var sandbox: [Finding] {
    let plugins = summaries.filter { $0.descriptor?.kind == PluginKind.name }
    guard !plugins.isEmpty else { return [] }
    let verdict = plugins.contains { settings.provider.contains($0.id) } ? Finding.Verdict.warning : .note
    let sandbox = PluginLaunch.sandbox(variables: variables)
    let state =
      switch sandbox {
      case .works:
        Finding(
          .providers, "plugins",
          "run in a sandbox (bwrap): no network, nothing to write, only their own folder and the system's to read")
      case .refused:
        Finding(
          .providers, "plugins", verdict,
          "\(PluginLaunch.withoutSandbox): bwrap is there, but this system does not let it make namespaces")
      case .missing:
        Finding(
          .providers, "plugins", verdict, "\(PluginLaunch.withoutSandbox): bwrap is not installed",
          fix: "apt install bubblewrap")
      }
    return [state] + hosts
  }

  /// The findings with the hosts that plugins may reach, by their provider files.
  private var hosts: [Finding] {
    summaries.compactMap { summary in
      guard !summary.isShadowed, summary.isTrusted, let program = summary.specification?.plugin else { return nil }
      return Finding(.providers, summary.id, .note, "a plugin that asks \(program.hosts.joined(separator: ", "))")
    }
  }

  /// The findings about whether each provider's key is set; the keys themselves are not read.
  private var keys: [Finding] {
    summaries.compactMap { summary in
      guard !summary.isShadowed, let isSet = summary.isKeySet,
        let specification = summary.specification, let name = specification.keyEnvironment
      else { return nil }
      if isSet, specification.untrustedFolder != nil {
        return Finding(
          .providers, name, .warning, "set, for \(summary.id), and not used: the settings are not trusted",
          fix: "bitpal trust")
      }
      if isSet, let refused = KeyHosts.refused(of: specification) {
        return Finding(
          .providers, name, .warning, "set, for \(summary.id), and not sent to \(refused)",
          fix: "name the host under key_hosts in a provider file of your own")
      }
      if isSet {
        let isUsed = settings.provider.contains(summary.id)
        return Finding(
          .providers, name, isUsed ? .good : .note,
          "set, for \(summary.id)"
            + (isUsed ? specification.kind.plan.map { ", as one of its \($0) plan" } ?? "" : ", which is not in use"))
      }
      let needsOne = specification.kind.needsKey && settings.provider.contains(summary.id)
      return Finding(
        .providers, name, needsOne ? .warning : .note, "not set, for \(summary.id)",
        fix: needsOne ? "export \(name)_FILE=$HOME/.config/bitpal/key" : nil)
    }
  }

  /// Returns the findings about whether the sources in use can be reached.
  func sources(_ session: Session) async -> [Finding] {
    var findings: [Finding] = []
    let probe = SourceProbe(budgets: BudgetFile(path: session.environment.budgetFile))
    for (specification, url) in inUse.flatMap({ file in file.probeURLs.map { (file, $0) } }) {
      if session.options.policy == .offline {
        findings.append(Finding(.providers, specification.id, .note, "not asked: --offline"))
        continue
      }
      do {
        try await probe.ask(specification, at: url)
        findings.append(Finding(.providers, specification.id, "reached"))
      } catch {
        // A retry does not help with a used-up budget; the findings about budgets have the advice.
        let isBudget = (error as? BitpalError)?.code == .rateLimited
        findings.append(
          Finding(
            .providers, specification.id, .warning, Finding.message(of: error),
            fix: isBudget ? nil : "curl -sS -o /dev/null -w '%{http_code}\\n' \(ShellWord(url))"))
      }
    }
    return findings
  }
}
