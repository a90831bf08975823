@testable import BitpalNetwork
public import FuzzDriver

@testable import BitpalModel
@testable import BitpalPlugins

/// Reads any bytes as what a plugin says of itself and plans; a request must go to a host that it named, without the key.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let line = Array(UnsafeBufferPointer(start: start, count: count))
  let limits = PluginLimits()
  guard let message = try? PluginMessage(line, answering: "plan") else { return 0 }
  _ = try? message.members()
  if let hello = try? PluginManifest(line, limits: limits) { read(message, by: hello, limits) }
  if let hello = fixed { read(message, by: hello, limits) }
  return 0
}

private func read(_ message: PluginMessage, by hello: PluginManifest, _ limits: PluginLimits) {
  let requests = PluginRequests(
    hello: hello, limits: limits, hosts: hosts, mayAskPrivateHosts: false, key: Secret("planted4711"),
    keyHosts: ["a.example"])
  for request in (try? requests.read(message, at: "$.requests")) ?? [] {
    precondition(!request.url.contains("planted4711"), "the key is in a URL")
    precondition(hosts.contains { request.url.lowercased().contains($0) }, "a host that was not named")
  }
}

/// The hosts that the provider file names.
private let hosts: Set<String> = ["a.example", "b.example"]

/// The manifest of a well-behaved plugin.
private let fixed = try? PluginManifest(
  Array(#"{"bitpal":1,"name":"F","hosts":["a.example","b.example"],"answers":["quotes"]}"#.utf8), limits: PluginLimits()
)

/// The program's start.
@_cdecl("FuzzPlugin_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
