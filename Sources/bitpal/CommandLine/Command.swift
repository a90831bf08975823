import BitpalModel

/// Something the tool can do.
///
/// A command is a file: what is to be known about it, how it understands its words, what it does. It exists by its line in
/// `CommandList.swift`; parser, help, manual, completions and reference are made from there.
protocol Command: Sendable {
  /// How it is called, what it takes and what it is for.
  static var spec: CommandSpec { get }

  /// Understands the words after its name; no I/O yet.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)``.
  init(_ arguments: Invocation.Arguments) throws(BitpalError)

  /// Does it.
  ///
  /// - Throws: `BitpalError` when there is no answer at all.
  func run(_ session: Session) async throws -> ExitStatus
}
