extension ExitStatus {
  /// What the status says, for the reference.
  var meaning: String {
    switch self {
    case .answered: "all that was asked was answered; stale answers are marked"
    case .partlyAnswered: "some or all coins could not be answered; the rest is printed"
    case .usage: "the command line is wrong"
    case .configuration: "the settings or a provider file are wrong, or not trusted"
    case .unavailable: "the network or the source is unavailable, and nothing is cached"
    case .rateLimited: "the request budget is used up, and nothing is cached"
    case .unreadable: "the source sent something unreadable, or a recording is damaged"
    case .dataFile: "a file of yours cannot be read or written"
    case .interrupted: "interrupted, with Ctrl-C"
    }
  }
}
