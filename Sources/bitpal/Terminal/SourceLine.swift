import BitpalOutput
import BitpalProviders

extension Provenance {
  /// One line about the sources of an answer: `fixture · recorded 2025-01-15 10:30Z · simulated market`.
  ///
  /// - Parameter providers: The configured ones; a note of the source's stands for the time of fetching.
  static func line(_ parts: [Provenance], providers: [ProviderDescriptor], style: Style) -> String {
    let line = style(sources(parts, providers: providers), .quiet)
    guard let stale = staleText(parts) else { return line }
    return line + style(" · ", .quiet) + style(stale, .warning)
  }
}
