extension Duration {
  /// Whole microseconds, the unit of every store of budgets, at most ±136 years.
  ///
  /// Lua's numbers hold them exactly.
  package var wholeMicroseconds: Int64 {
    Int64(clamping: max(-Self.most, min(Self.most, attoseconds / 1_000_000_000_000)))
  }

  private static let most: Int128 = (1 << 32) * 1_000_000
}
