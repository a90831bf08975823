/// The limits of a plugin, in time, bytes and numbers; `docs/plugins.md` has them in a table.
package struct PluginLimits: Hashable, Sendable {
  /// The longest time from its start to its answer to `hello` (5 s).
  package var hello: Duration = .seconds(5)

  /// The longest time for any other answer (2 s).
  package var call: Duration = .seconds(2)

  /// The most bytes of a line of its standard output (16 MiB).
  package var line = 16 << 20

  /// The most bytes of its standard error that are kept per start; the rest is discarded.
  package var errorText = 64 << 10

  /// The most lines of its standard error that are shown in one run.
  package var complaintLines = 20

  /// The most requests of one plan, and of one round after it.
  package var requests = 20

  /// The number of times that it may ask for more requests before it answers.
  package var rounds = 5

  /// The most bytes of a URL.
  package var url = 8 << 10

  /// The most coins of one question.
  package var batch = 1000

  /// The time that it has to exit after the end of its standard input, and again after SIGTERM.
  package var ending: Duration = .milliseconds(100)

  /// The limits that apply outside of tests.
  package static let standard = PluginLimits()

  package init() {}
}
