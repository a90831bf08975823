import BitpalModel
import BitpalNetwork
import BitpalReplay
import FoundationEssentials

/// The recording of what a server asks its sources, from its start to its end.
///
/// It is written again and again, so that a server that is killed leaves all but the last seconds.
struct ServeRecording: Sendable {
  let recorder = ExchangeRecorder()
  private let name: RecordingName
  private let console: Console

  /// - Throws: ``BitpalError/usage(_:hint:)`` when something is there already.
  init(_ name: String, _ console: Console) throws(BitpalError) {
    self.name = RecordingName(name)
    self.console = console
    try self.name.beFree(elseHint: "give another name, or remove it first")
  }

  /// Writes what has come, until it is cancelled.
  func keepWriting() async {
    let time = SystemTime()
    var written = 0
    var pause = Self.pause
    while (try? await time.sleep(for: pause)) != nil {
      guard recorder.exchanges.count > written else { continue }
      let began = time.monotonic
      do throws(BitpalError) { written = try write() } catch { console.warning(error.description) }
      // Each time all of it is written, which may take no more than a twentieth of the time.
      pause = max(Self.pause, (time.monotonic - began) * 20)
    }
  }

  private static let pause = Duration.seconds(5)

  /// Writes all of it, and says so.
  func finish() throws(BitpalError) {
    let count = try write()
    guard count > 0 else { return console.notice("nothing was asked of a source, so nothing was recorded") }
    console.notice(
      "recorded \(RecordingName.exchanges(count)) in \(name.folder); to replay: bitpal serve -p recording:\(name.text)")
  }

  /// - Returns: The number of exchanges in it.
  private func write() throws(BitpalError) -> Int {
    let exchanges = recorder.exchanges
    guard !exchanges.isEmpty else { return 0 }
    // Time will stand at the last answer, so that all of them are of the past.
    try HARWriter.write(
      exchanges, to: name.folder, recordedAt: SystemTime().now.startOfSecond, provider: recorder.provider,
      redaction: Redaction(recorder.secrets))
    return exchanges.count
  }
}
