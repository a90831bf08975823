/// What a piece of a chart means; colours follow from it.
enum Role: Hashable {
  case heading
  case quiet
  case warning
  case rise
  case fall
  case riseArea
  case fallArea
  case series(Int)

  /// The parameters of the terminal's "select graphic rendition".
  var escape: String {
    switch self {
    case .heading: "1"
    case .quiet: "2"
    case .warning: "33"
    case .rise: "32"
    case .fall: "31"
    case .riseArea: "2;32"
    case .fallArea: "2;31"
    case .series(let index): ["36", "33", "35", "34", "32", "31"][index % 6]
    }
  }
}
