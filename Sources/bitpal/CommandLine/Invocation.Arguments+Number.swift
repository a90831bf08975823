import BitpalModel

extension Invocation.Arguments {
  /// The whole number an option was given; nil when it was not.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for what is no number, or one outside the range.
  func number(_ name: OptionName, in range: ClosedRange<Int>) throws(BitpalError) -> Int? {
    guard let text = raw.value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "\(name.spelling): \"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)",
        hint: "write it like \(name.spelling) \(min(range.upperBound, max(range.lowerBound, 20)))")
    }
    return number
  }
}
