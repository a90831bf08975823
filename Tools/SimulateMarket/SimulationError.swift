/// A mistake in the generator's own tables, or a file that cannot be written.
struct SimulationError: Error, CustomStringConvertible {
  let message: String

  var description: String { message }
}
