import BitpalModel

extension ErrorCode {
  /// What the code says, for the reference.
  var meaning: String {
    switch self {
    case .notFound: "no coin has that id, alias or symbol"
    case .ambiguous: "several coins have that symbol; use an id or an alias"
    case .noPrice: "the source knows the coin and has no price for it"
    case .notRecorded: "the recording has no answer to the question"
    case .noData: "the source has nothing in the time asked for"
    case .unsupported: "the provider cannot do that; the message names those that can"
    case .unsupportedCurrency: "the source does not answer in that currency"
    case .rateLimited: "the request budget is used up, here or at the source"
    case .putAside: "the source has failed several times in a row, and is not asked for a while"
    case .unauthorized: "the source refuses the key, or wants one"
    case .planLimit: "the plan of the key does not reach that far"
    case .refused: "the source answered with an error"
    case .network: "the source could not be reached"
    case .timedOut: "the time allowed ran out"
    case .offline: "nothing is cached, and --offline forbids to ask"
    case .unreadable: "the source sent something that cannot be read"
    case .recordingDamaged: "a recording cannot be read"
    case .configuration: "the settings or a provider file are wrong"
    case .untrusted: "the settings of this folder are not trusted, and get nothing of the portfolio"
    case .usage: "the command line is wrong"
    case .dataFile: "a file of yours cannot be read or written"
    }
  }
}
