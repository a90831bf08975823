import BitpalModel

/// What a coin's name turned out to mean.
enum Resolution {
  /// This coin, for certain.
  case id(String)

  /// Taken for an id, because there is no coin list to check it against.
  case guess(String)

  /// No coin, or several.
  case failure(BitpalError)

  /// The id to ask for; nil for a failure.
  var id: String? {
    switch self {
    case .id(let id), .guess(let id): id
    case .failure: nil
    }
  }
}

extension BitpalError {
  /// Whether the name itself may be the trouble.
  var isAboutTheName: Bool {
    switch self {
    case .notFound, .notRecorded: true
    default: false
    }
  }
}
