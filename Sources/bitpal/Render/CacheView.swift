import BitpalCache
import BitpalJSON
import BitpalModel

/// What the cache holds.
struct CacheView: View {
  private let statistics: PriceCache.Statistics

  init(_ statistics: PriceCache.Statistics) {
    self.statistics = statistics
  }

  var columns: [String] { ["operation", "entries", "bytes"] }

  var rows: [JSONObject] {
    statistics.operations.map {
      ["operation": .string($0.operation), "entries": .integer($0.entries), "bytes": .integer($0.bytes)]
    }
  }

  var json: JSONObject {
    [
      "schema": "bitpal.cache/1", "path": JSONValue(statistics.path), "entries": .integer(entries),
      "bytes": .integer(bytes), "disk_bytes": .integer(statistics.diskBytes),
      "disk_limit": .integer(statistics.diskLimit),
      "memory_limit": .integer(statistics.memoryLimit), "listed_coins": .integer(statistics.coins),
      "oldest": JSONValue(statistics.oldest), "newest": JSONValue(statistics.newest),
      "operations": .array(rows.map(JSONValue.object)), "errors": [],
    ]
  }

  func table(style: Style) -> String {
    var facts = TextTable([.init(""), .init("", widest: 400)])
    func add(_ label: String, _ text: String) {
      facts.add([.init(label, .quiet), .init(text)])
    }
    add("Path", statistics.path ?? "none: answers are kept in memory only")
    add("Entries", String(entries))
    add("Disk", "\(ByteText.text(statistics.diskBytes)) of at most \(ByteText.text(statistics.diskLimit))")
    add("Memory", "at most \(ByteText.text(statistics.memoryLimit)), while a command runs")
    add("Listed coins", String(statistics.coins))
    if let oldest = statistics.oldest { add("Oldest", oldest.utcText) }
    if let newest = statistics.newest { add("Newest", newest.utcText) }
    if statistics.operations.isEmpty { return facts.text(style: style) }
    var operations = TextTable([.init("OPERATION"), .init("ENTRIES", .right), .init("SIZE", .right)])
    for usage in statistics.operations {
      operations.add([.init(usage.operation), .init(String(usage.entries)), .init(ByteText.text(usage.bytes))])
    }
    return facts.text(style: style) + "\n" + operations.text(style: style)
  }

  private var entries: Int { statistics.operations.reduce(0) { $0 + $1.entries } }

  private var bytes: Int { statistics.operations.reduce(0) { $0 + $1.bytes } }
}
