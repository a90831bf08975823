// What the article "Test it without a network" shows of recordings as providers.

import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalReplay
import Foundation

/// The whole service over a recording; its clock stands at the instant of the recording.
func recordedMarket(_ folder: String = fixtures + "/market") throws -> PriceService {
  let recording = try HARReader.head(folder)
  let provider = DialectProvider(id: "market", name: "Market", recording: recording, dialect: CoinGeckoDialect())
  let cache = PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { _ in }
  return PriceService(providers: [provider], cache: cache, time: FrozenTime(at: recording.recordedAt))
}

private let fixtures: String = {
  var url = URL(fileURLWithPath: #filePath)
  for _ in 0..<4 { url.deleteLastPathComponent() }
  return url.path + "/Fixtures"
}()
