extension Duration {
  /// Whole microseconds, the unit of every store of budgets, at most ±136 years.
  ///
  /// Lua's numbers hold them exactly.
  package var wholeMicroseconds: Int64 {
    let (seconds, rest) = components
    return max(-1 << 32, min(1 << 32, seconds)) * 1_000_000 + rest / 1_000_000_000_000
  }
}
