import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials

/// A source whose price has more digits than a `Double` holds.
///
/// The digits that a source sends in an example do not show whether more of them survive.
struct LongerPrice: Transport {
  let source: any Transport
  let price: Decimal

  /// The text in the place of the price.
  let longer: String
  let isSent = Locked(false)

  /// The number of significant digits up to which zeros are inserted, so that a low stays below an open that is only
  /// slightly higher.
  ///
  /// The digits after them are beyond those of a `Double`.
  private static let zeros = 16

  /// The decimals of the longer price, as many as a division keeps; more only where 20 digits need them.
  private static let decimals = 18

  /// The most significant digits of a number; 1E22 therefore gets only 15 more.
  private static let most = 38

  /// Creates the source; nil for a price with fewer than 3 or more than 30 digits.
  init?(_ source: any Transport, price: Decimal) {
    let text = price.plainText
    let count = Self.significantDigits(price)
    // A number like 1 occurs in many places of a body.
    guard (3...30).contains(count) else { return nil }
    self.source = source
    self.price = price
    let own = text.split(separator: ".").dropFirst().first?.count ?? 0
    let room = min(max(Self.decimals - own, 20 - count, 3), Self.most - count)
    let padding = min(max(0, Self.zeros - count), room)
    longer =
      (own == 0 ? text + "." : text) + String(repeating: "0", count: padding)
      + "12345678912345678".prefix(room - padding)
  }

  static func significantDigits(_ value: Decimal) -> Int {
    value.plainText.filter(\.isNumber).drop { $0 == "0" }.count
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await source.send(request)
    let body = rewritten(response.body)
    if body != response.body { isSent.withLock { $0 = true } }
    return HTTPResponse(status: response.status, headers: response.headers, body: body)
  }

  /// Returns the body with the longer price in the place of each number, bare or as a text, that has the price's value.
  private func rewritten(_ body: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = body[...]
    while let first = rest.first {
      let token = rest.prefix { $0.isOfWord }
      guard !token.isEmpty else {
        result.append(first)
        rest = rest.dropFirst()
        continue
      }
      let value = try? Decimal(strict: String(decoding: token, as: UTF8.self))
      result += value == price ? Array(longer.utf8)[...] : token
      rest = rest.dropFirst(token.count)
    }
    return result
  }
}

extension UInt8 {
  /// Whether the byte may be part of a word or number; a longer token than a number is not one.
  fileprivate var isOfWord: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }
}
