import BitpalJSON
import BitpalModel

/// A value in force and its origin, for display.
package struct SettingEntry: Hashable, Sendable {
  /// The dotted key, as in `cache.ttl.quotes`.
  package let key: String

  /// The value in the notation of a settings file, on one line.
  package let value: String

  /// The origin of the value.
  package let origin: SettingOrigin
}

extension SettingEntry: CustomStringConvertible {
  /// The key, the value and the origin on one line: `cache.ttl.quotes: 1m (config.yaml:12)`.
  package var description: String { "\(key): \(value) (\(origin))" }
}

/// The origin of a value.
package enum SettingOrigin: Hashable, Sendable {
  /// An option of the command line, with its dashes.
  case flag(String)

  /// An environment variable.
  case environment(String)

  /// A line of a settings file, which may take precedence over one of another file.
  case file(String, line: Int, over: String? = nil)

  /// The default.
  case `default`
}

extension SettingOrigin: CustomStringConvertible {
  /// `--provider`, `BITPAL_PROVIDER`, `config.yaml:12`, `preferences.yaml:3 over config.yaml:12` or `default`.
  package var description: String {
    switch self {
    case .flag(let name), .environment(let name): name
    case .file(let name, let line, let other): "\(name):\(line)" + (other.map { " over \($0)" } ?? "")
    case .default: "default"
    }
  }
}

extension Settings {
  /// All values in force and their origins, in the order of the sample file.
  ///
  /// The list is calculated at each access.
  package var entries: [SettingEntry] {
    var entries = [
      entry(["provider"], providerText),
      entry(["currency"], currency),
      entry(["convert"], convert.count == 1 ? convert.joined() : "[\(convert.joined(separator: ", "))]"),
      entry(["timezone"], timeZone.name),
      entry(["providers_dir"], providersDirs.joined(separator: ":")),
      entry(["refresh"], refresh.unitText),
    ]
    var shown: Set<String> = []
    for name in root?["aliases"]?.entries?.map(\.key) ?? aliases.keys.sorted() {
      guard let id = aliases[name.lowercased()], shown.insert(name.lowercased()).inserted else { continue }
      entries.append(entry(["aliases", name], id.printable()))
    }
    // A built-in ticker is not in force when an alias has the same name.
    let tickers = WellKnownCoins.all.filter { aliases[$0.symbol] == nil }
    let first = tickers.prefix(3).map { "\($0.symbol): \($0.id)" }.joined(separator: ", ")
    entries.append(
      SettingEntry(key: "tickers", value: "\(tickers.count) built in (\(first), …)", origin: .default))
    entries += [
      entry(["cache", "path"], cache.path ?? "none"),
      entry(["cache", "memory"], ByteSize(bytes: cache.memoryBytes).text),
      entry(["cache", "disk"], ByteSize(bytes: cache.diskBytes).text),
      entry(["cache", "max_stale"], cache.maxStale.unitText),
      entry(["cache", "while_renewing"], cache.whileRenewing?.unitText ?? "0s, 10s in serve"),
      entry(["cache", "ttl", "quotes"], cache.ttl.quotes.unitText),
      entry(["cache", "ttl", "detail"], cache.ttl.detail.unitText),
      entry(["cache", "ttl", "coin_list"], cache.ttl.coinList.unitText),
      entry(["fleet", "redis"], fleet?.address.description ?? "none"),
    ]
    if let fleet {
      entries += [
        entry(["fleet", "members"], "\(fleet.members)"),
        entry(["fleet", "ca"], fleet.certificates?.printable(limit: 200) ?? "none"),
        entry(["fleet", "prefix"], fleet.prefix),
      ]
    }
    entries += [
      entry(["chart", "default_type"], chart.defaultType.rawValue),
      entry(["chart", "default_range"], chart.defaultRange),
    ]
    if let type = chart.lastType { entries.append(entry(["chart", "last_type"], type.rawValue)) }
    entries += chart.ranges.map { entry(["chart", "ranges", $0.name], $0.settingText) }
    for provider in providerOverrides {
      for override in provider.value.entries ?? [] {
        entries.append(
          SettingEntry(
            key: "providers.\(provider.key).\(override.key)", value: override.value.flowText,
            origin: .file(override.source.file, line: override.keyMark.line)))
      }
    }
    return entries
  }

  private var providerText: String {
    let ids = provider.count == 1 ? provider.joined() : "[\(provider.joined(separator: ", "))]"
    guard let agreement else { return ids }
    return "{ agree: \(ids), at_least: \(agreement.atLeast), within: \(agreement.within.plainText)%, "
      + "else: \(agreement.otherwise.rawValue) }"
  }

  private func entry(_ path: [String], _ value: String) -> SettingEntry {
    let key = path.map { $0.printable(limit: 60) }.joined(separator: ".")
    return SettingEntry(key: key, value: value, origin: origins[key] ?? fileOrigin(path) ?? .default)
  }

  private func fileOrigin(_ path: [String]) -> SettingOrigin? {
    let found = roots.compactMap { root in
      var node: YAMLNode? = root
      var found: YAMLNode.Entry?
      for key in path {
        // The names of ranges and aliases are compared without regard to case.
        found = node?.entry(key) ?? node?.entries?.first { $0.key.lowercased() == key.lowercased() }
        node = found?.value
      }
      return found
    }
    let other = found.dropLast().last.map { "\($0.source.file):\($0.keyMark.line)" }
    return found.last.map { .file($0.source.file, line: $0.keyMark.line, over: other) }
  }
}

extension ChartTimeRange {
  /// The word in place of a duration in a settings file: `year` or `max`; nil for a duration.
  var windowWord: String? {
    switch beginning {
    case .newYear: "year"
    case .ever: "max"
    case .windowAgo, .at: nil
    }
  }

  /// The range in the notation of a settings file.
  fileprivate var settingText: String {
    let types = ChartType.allCases.filter(self.types.contains).map(\.rawValue).joined(separator: ", ")
    return "{ window: \(windowWord ?? window.unitText), points: \(points), candle: \(candle.unitText), "
      + "ttl: \(timeToLive.unitText), types: [\(types)] }"
  }
}
