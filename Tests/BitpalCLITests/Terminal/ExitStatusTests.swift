import BitpalModel
import Testing

@testable import bitpal

@Suite struct `Exit statuses` {
  @Test(arguments: [
    (ErrorCode.notFound, 1), (.ambiguous, 1), (.noPrice, 1), (.notRecorded, 1), (.noData, 1), (.unsupported, 1),
    (.unsupportedCurrency, 1), (.usage, 2), (.configuration, 3), (.unauthorized, 4), (.planLimit, 4), (.refused, 4),
    (.network, 4), (.timedOut, 4), (.offline, 4), (.rateLimited, 5), (.unreadable, 6), (.recordingDamaged, 6),
    (.dataFile, 7),
  ])
  func `Every failure has one`(code: ErrorCode, status: Int) {
    #expect(Int(ExitStatus(code).rawValue) == status)
  }

  @Test(arguments: [
    (2, [], 0), (1, [ErrorCode.notFound], 1), (1, [.network], 1), (0, [.notFound], 1), (0, [.network, .timedOut], 4),
    (0, [.rateLimited], 5), (0, [.rateLimited, .notFound], 1), (0, [], 0),
  ])
  func `Something answered and something not is 1; nothing answered is the common reason`(
    answered: Int, failures: [ErrorCode], status: Int
  ) {
    #expect(Int(ExitStatus(answered: answered, failures: failures).rawValue) == status)
  }
}
