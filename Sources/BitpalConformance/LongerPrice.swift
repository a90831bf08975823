import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials

/// The source, but with a price that has more digits than a `Double` holds.
///
/// Which digits a source happens to send in an example does not show what becomes of more.
struct LongerPrice: Transport {
  let source: any Transport
  let price: Decimal

  /// What stands instead of the price; nil when it has too few digits to be found, or too many to grow.
  let longer: String
  let isSent = Locked(false)

  /// Up to here zeros stand below the price's own digits, so that a low stays below an open that is only a little
  /// higher; the digits that follow are beyond those of a `Double`.
  private static let zeros = 16

  /// Decimals, as many as a division keeps; more only where they are needed for 20 digits.
  private static let decimals = 18

  /// All that is kept of a number: of 1E22, which is right as it is, only 15 more.
  private static let most = 38

  init?(_ source: any Transport, price: Decimal) {
    let text = price.plainText
    let count = Self.significantDigits(price)
    // A number like 1 stands in many places of a body.
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

  /// The body with the longer price wherever a number, bare or as a text, has the price's value.
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
  /// Whether the byte is of a word or number; what is longer than a number is none.
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
