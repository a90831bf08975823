public import BitpalModel
public import BitpalNetwork

/// A header that the source wants, as it was sent with the sample.
public struct SampleHeader: Hashable, Sendable {
  /// Its name.
  public let name: String

  /// What is sent; of a key only what stands before it, such as `Bearer `.
  public let text: String

  /// The key at the end of the value; nil when nothing in the header looks like one.
  public let key: Secret?

  /// Reads `NAME: VALUE`.
  ///
  /// A key is taken for one too many rather than one too few: what is taken for one never stands in a file.
  ///
  /// - Throws: `BitpalError.usage`, which does not repeat the value.
  public init(_ line: String) throws(BitpalError) {
    let name = String(line.prefix { $0 != ":" })
    let value = String(line.dropFirst(name.count + 1).drop { $0 == " " })
    let isToken = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
    guard !name.isEmpty, name.utf8.count < line.utf8.count, isToken else {
      throw .usage(
        "--header: there is no name before a colon", hint: "write it like --header 'Accept: application/json'")
    }
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw .usage("--header: \(name) has no value, or one that no header can have")
    }
    self.name = name
    let last = value.split(separator: " ").last.map(String.init) ?? value
    if SampleSecrets.isName(name) || SampleSecrets.isKey(last) {
      text = String(value.dropLast(last.count))
      key = Secret(last)
    } else {
      text = value
      key = nil
    }
  }

  /// The header as a request has it, where it is no key.
  public var plain: HTTPHeader? { key == nil ? HTTPHeader(name, text) : nil }

  /// The header as a request has it, where it is a key.
  public var secret: HTTPRequest.SecretHeader? { key.map { HTTPRequest.SecretHeader(name, $0, after: text) } }
}
