/// Work that is a plain closure, done over and over.
func repeated(_ body: @escaping () throws -> Void) -> Measurement.Work {
  { times in for _ in 0..<times { try body() } }
}

/// Work that waits, done over and over.
func repeated(_ body: @escaping () async throws -> Void) -> Measurement.Work {
  { times in for _ in 0..<times { try await body() } }
}
