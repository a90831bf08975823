package import BitpalModel
package import BitpalNetwork

/// A header of a sample's request that the source requires.
package struct SampleHeader: Hashable, Sendable {
  /// The name of the header.
  package let name: String

  /// The value; for a key only the text before it, such as `Bearer `.
  package let text: String

  /// The key at the end of the value; nil when nothing in the header looks like a key.
  package let key: Secret?

  /// Reads `NAME: VALUE`.
  ///
  /// In doubt a value counts as a key, and a key is never written to a file.
  ///
  /// - Throws: `BitpalError.usage`, which does not repeat the value, for a line without a valid name or value.
  package init(_ line: String) throws(BitpalError) {
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

  /// The header of a request when it is not a key; nil otherwise.
  package var plain: HTTPHeader? { key == nil ? HTTPHeader(name, text) : nil }

  /// The header of a request when it is a key; nil otherwise.
  package var secret: HTTPRequest.SecretHeader? { key.map { HTTPRequest.SecretHeader(name, $0, after: text) } }
}
