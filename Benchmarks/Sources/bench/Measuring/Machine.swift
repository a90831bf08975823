import Foundation

/// What the run was made on and with.
enum Machine {
  static var sentence: String {
    var system = utsname()
    uname(&system)
    let machine = withUnsafeBytes(of: system.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let cpu = value(of: "model name", in: "/proc/cpuinfo") ?? machine
    func version(_ name: String, _ path: String, _ arguments: [String], words: Int) -> String? {
      let line = try? Command(path, arguments + ["--version"]).output().split(separator: "\n").first
      return line.map { name + $0.split(separator: " ").prefix(words).joined(separator: " ") }
    }
    let versions = [
      version("", "/usr/bin/env", ["swift"], words: 3), version("sqlite3 ", "/usr/bin/sqlite3", [], words: 1),
      version("", "/usr/bin/curl", [], words: 2),
    ]
    var load = 0.0
    getloadavg(&load, 1)
    let processors = ProcessInfo.processInfo.processorCount
    return """
      \(Date.now.formatted(.iso8601.year().month().day())), Linux \(machine), \(cpu), \(processors) cores with a load of \
      \(load.rounded(places: 1)) at the start; \(versions.compactMap { $0 }.joined(separator: ", ")).
      """
  }

  /// The first value of that name in a file of `name: value` lines.
  static func value(of name: String, in path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n")
      .first { $0.hasPrefix(name) }?.split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
  }

  /// What a process has in memory, in KiB.
  static func residentKiB(of process: String) -> Int? {
    value(of: "VmRSS", in: "/proc/\(process)/status")?.split(separator: " ").first.flatMap { Int($0) }
  }
}
