import BitpalJSON
package import FoundationEssentials

/// A failure in CoinGecko's format; its clients read the status first, and then one of these shapes.
package enum CoinGeckoError: Sendable {
  /// `{"error":"coin not found"}`.
  case message(String)

  /// `{"status":{"error_code":429,"error_message":"…"}}`.
  case coded(Int, String)

  /// `{"error":{"status":{"timestamp":"…","error_code":10012,"error_message":"…"}}}`: a limit of the plan's reach.
  case ofPlan(String, Date)

  /// The schema of failures.
  package static let schema: ValueSchema = .named(
    "coingecko_error",
    .either(
      .object([
        "error": .either(.text("The reason."), .object(["status": .object(timestamp + status)]), about: "The reason.")
      ]),
      .object(["status": .object(status)]), about: "A failure as CoinGecko writes it."))

  private static let timestamp: SchemaMembers = ["timestamp": .instant("The time of the failure.")]

  private static let status: SchemaMembers = [
    "error_code": .count("The reason for programs: the status, or a code of CoinGecko's own."),
    "error_message": .text("The same for people."),
  ]

  /// The failure in one line.
  package var text: String { json.compact() + "\n" }

  private var json: JSONValue {
    switch self {
    case .message(let message):
      ["error": .string(message)]
    case .coded(let code, let message):
      ["status": ["error_code": .integer(code), "error_message": .string(message)]]
    case .ofPlan(let message, let now):
      [
        "error": [
          "status": [
            "timestamp": JSONValue(now), "error_code": 10012, "error_message": .string(message),
          ]
        ]
      ]
    }
  }
}
