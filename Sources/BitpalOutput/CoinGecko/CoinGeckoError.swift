import BitpalJSON
import BitpalModel
package import FoundationEssentials

/// A failure as CoinGecko writes it; its clients read the status first, and then one of these shapes.
package enum CoinGeckoError: Sendable {
  /// `{"error":"coin not found"}`.
  case said(String)

  /// `{"status":{"error_code":429,"error_message":"…"}}`.
  case coded(Int, String)

  /// `{"error":{"status":{"timestamp":"…","error_code":10012,"error_message":"…"}}}`: a plan that does not reach so far.
  case ofPlan(String, Date)

  /// The failure in one line.
  package var text: String { json.compact() + "\n" }

  private var json: JSONValue {
    switch self {
    case .said(let words):
      ["error": .string(words)]
    case .coded(let code, let words):
      ["status": ["error_code": .integer(code), "error_message": .string(words)]]
    case .ofPlan(let words, let now):
      [
        "error": [
          "status": [
            "timestamp": JSONValue(now), "error_code": 10012, "error_message": .string(words),
          ]
        ]
      ]
    }
  }
}
