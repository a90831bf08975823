/// Readers of JSON that stay open between readings, each with the statements it has compiled.
///
/// Opening one takes about as long as reading ten quotes.
package final class JSONRowsPool: Sendable {
  private let lanes = LanePool<JSONRows>(keeping: 2)

  package init() {}

  /// Runs `body` with a reader that nobody else uses meanwhile.
  ///
  /// Its statements are kept: the SQL must be one of few texts, with what changes bound as a parameter.
  package func withRows<Result>(_ body: (JSONRows) throws -> Result) throws -> Result {
    try lanes.withLane(or: JSONRows.init, body)
  }
}
