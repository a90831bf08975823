/// Something the tool can do, with its own arguments already understood.
protocol Command: Sendable {
  /// Does it.
  ///
  /// - Throws: `BitpalError` when there is no answer at all.
  func run(_ session: Session) async throws -> ExitStatus
}
