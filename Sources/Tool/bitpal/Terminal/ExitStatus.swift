import BitpalModel

/// The exit status of a run, for the shell.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Everything that was asked was answered.
  case answered = 0

  /// Some or all coins could not be answered; the rest was printed.
  case partlyAnswered = 1

  /// The command line is wrong.
  case usage = 2

  /// The settings or a provider file are wrong, or not trusted.
  case configuration = 3

  /// The network or the source is unavailable, and nothing is cached.
  case unavailable = 4

  /// The request budget is used up, and nothing is cached.
  case rateLimited = 5

  /// The source sent something unreadable, or a recording is damaged.
  case unreadable = 6

  /// A file of the user's cannot be read or written.
  case dataFile = 7

  /// Too few sources agree on a price.
  case disagreement = 8

  /// The run was interrupted; the value is 128 plus the number of SIGINT, as in shells.
  case interrupted = 130

  /// Creates the status of a command that failed with an error code.
  init(_ code: ErrorCode) {
    // A test checks that every code has a status of this list.
    self = ExitStatus(rawValue: code.consequences.exit) ?? .partlyAnswered
  }

  /// Creates the status of a command that has `answered` rows, and failures with the given codes.
  ///
  /// With nothing answered and one common reason, the status is that reason's.
  init(answered: Int, failures: [ErrorCode]) {
    let statuses = Set(failures.map { ExitStatus($0) })
    if answered == 0, statuses.count == 1, let only = statuses.first {
      self = only
    } else {
      self = failures.isEmpty ? .answered : .partlyAnswered
    }
  }
}

extension ExitStatus {
  /// The meaning of the status, for the reference.
  var meaning: String {
    switch self {
    case .answered: "all that was asked was answered; stale answers are marked"
    case .partlyAnswered: "some or all coins could not be answered; the rest is printed"
    case .usage: "the command line is wrong"
    case .configuration: "the settings or a provider file are wrong, or not trusted"
    case .unavailable: "the network or the source is unavailable, and nothing is cached; of serve: its address is taken"
    case .rateLimited: "the request budget is used up, and nothing is cached"
    case .unreadable: "the source sent something unreadable, or a recording is damaged"
    case .dataFile: "a file of yours cannot be read or written"
    case .disagreement: "too few of the sources under agree: have the same price"
    case .interrupted: "interrupted, with Ctrl-C"
    }
  }
}
