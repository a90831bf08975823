/// The stable name of a failure, as in `"code"` of the JSON output.
public enum ErrorCode: String, CaseIterable, Sendable {
  /// No coin of that id or symbol.
  case notFound = "not_found"

  /// Several coins have that symbol.
  case ambiguous

  /// The coin exists, but the source has no price for it.
  case noPrice = "no_price"

  /// The recording holds no answer to that question.
  case notRecorded = "not_recorded"

  /// The source answered with no data for the time asked for.
  case noData = "no_data"

  /// The provider cannot do that.
  case unsupported

  /// The source does not answer in that currency.
  case unsupportedCurrency = "unsupported_currency"

  /// The request budget is used up, here or at the source.
  case rateLimited = "rate_limited"

  /// The source has just failed, and is not asked for a while.
  case coolingDown = "put_aside"

  /// The source refuses the key, or wants one.
  case unauthorized

  /// The plan does not reach that far.
  case planLimit = "plan_limit"

  /// The source answered with an error.
  case refused

  /// The source could not be reached.
  case network

  /// The time allowed ran out.
  case timedOut = "timed_out"

  /// Too few sources agree on a price.
  case sourcesDisagree = "sources_disagree"

  /// `--offline`, and nothing is cached.
  case offline

  /// The source sent something that cannot be read.
  case unreadable

  /// The program that speaks for the source broke a rule, or ended.
  case plugin

  /// A recording cannot be read.
  case recordingDamaged = "recording_damaged"

  /// The settings or a provider file are wrong.
  case configuration

  /// The settings found in the working folder are not trusted.
  case untrusted

  /// The command line is wrong.
  case usage

  /// A file of the user's cannot be read or written.
  case dataFile = "data_file"
}
