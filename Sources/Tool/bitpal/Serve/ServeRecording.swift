import BitpalModel
import BitpalNetwork
import BitpalReplay
import FoundationEssentials

/// The recording of a server's requests to its sources, from its start to its end.
///
/// It is written repeatedly, so that a server that is killed loses only the last seconds.
struct ServeRecording: Sendable {
  let recorder = ExchangeRecorder()
  private let name: RecordingName
  private let console: Console

  /// Creates a recording.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` when there is one with that name already.
  init(_ name: String, _ console: Console) throws(BitpalError) {
    self.name = RecordingName(name)
    self.console = console
    try self.name.beFree(elseHint: "give another name, or remove it first")
  }

  /// Writes new exchanges at intervals until the task is cancelled.
  func keepWriting() async {
    let time = SystemTime()
    var written = 0
    var pause = Self.pause
    while (try? await time.sleep(for: pause)) != nil {
      guard recorder.exchanges.count > written else { continue }
      let began = time.monotonic
      do throws(BitpalError) { written = try write() } catch { console.warning(error.description) }
      // Each time all exchanges are written, which may take at most a twentieth of the time.
      pause = max(Self.pause, (time.monotonic - began) * 20)
    }
  }

  private static let pause = Duration.seconds(5)

  /// Writes all exchanges, and prints their number and place.
  ///
  /// - Throws: `BitpalError` when the recording cannot be written.
  func finish() throws(BitpalError) {
    let count = try write()
    guard count > 0 else { return console.notice("nothing was asked of a source, so nothing was recorded") }
    console.notice(
      "recorded \(RecordingName.exchanges(count)) in \(name.folder); to replay: bitpal serve -p recording:\(name.text)")
  }

  /// Writes all exchanges, if there are any.
  ///
  /// - Returns: The number of exchanges.
  private func write() throws(BitpalError) -> Int {
    let exchanges = recorder.exchanges
    guard !exchanges.isEmpty else { return 0 }
    // The clock of a replay stands still at this time, so that all exchanges lie in its past.
    try HARWriter.write(
      exchanges, to: name.folder, recordedAt: SystemTime().now.startOfSecond, provider: recorder.provider,
      redaction: Redaction(recorder.secrets))
    return exchanges.count
  }
}
