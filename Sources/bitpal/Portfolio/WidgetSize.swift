/// How much room a widget has.
enum WidgetSize: String, CaseIterable, Sendable {
  /// Value and gain.
  case small

  /// And two holdings.
  case medium

  /// And five.
  case large

  /// How many holdings have room.
  var holdings: Int {
    switch self {
    case .small: 0
    case .medium: 2
    case .large: 5
    }
  }
}
