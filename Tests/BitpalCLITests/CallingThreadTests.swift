import BitpalModel
import Foundation
import Testing

@testable import bitpal

@Suite struct `The calling thread` {
  @Test func `It runs a task to its end, wherever that waits`() {
    let steps = Locked<[String]>([])
    CallingThread.run {
      steps.withLock { $0.append("begun") }
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          steps.withLock { $0.append("elsewhere") }
          continuation.resume()
        }
      }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 { group.addTask { await Task.yield() } }
      }
      steps.withLock { $0.append("done") }
    }
    #expect(steps.withLock { $0 } == ["begun", "elsewhere", "done"])
  }
}
