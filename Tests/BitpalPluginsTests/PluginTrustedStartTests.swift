import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalPlugins

@Suite struct `A plugin of a folder that was trusted` {
  private func program(_ plugin: ScriptedPlugin, trusting bytes: [UInt8]) -> PluginProgram {
    var program = PluginProgram(command: ["/bin/sh", "plugin.sh"], folder: plugin.folder.path)
    program.trustedFiles = TrustedFiles(
      settings: "config.yaml", digests: [plugin.folder.path + "/plugin.sh": SHA256.hexDigest(of: bytes)], folders: [])
    return program
  }

  @Test func `is started from a copy of what was compared`() throws {
    let plugin = try ScriptedPlugin()
    let path = plugin.folder.path + "/plugin.sh"
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let trusted = program(plugin, trusting: bytes)
    let variables = ["PATH": "/usr/bin:/bin", "TMPDIR": plugin.folder.path]
    let launch = try PluginLaunch(trusted, variables: variables, isConfined: false)
    let copy = try #require(launch.words.last)
    #expect(copy != path && copy.hasSuffix("/plugin.sh"))
    try plugin.folder.write("other", to: "plugin.sh")
    #expect(Array(try Data(contentsOf: URL(filePath: copy))) == bytes)
    #expect(throws: PluginFault.self) { _ = try PluginLaunch(trusted, variables: variables, isConfined: false) }
    launch.copies?.remove()
    #expect(!FileManager.default.fileExists(atPath: copy))
  }

  @Test func `is not started when it has changed`() throws {
    let plugin = try ScriptedPlugin()
    let host = PluginHost(
      provider: "moonbase", program(plugin, trusting: []), variables: ["PATH": "/usr/bin:/bin"],
      memory: ManifestCache(folder: nil), limits: .long, usesSandbox: false)
    let error = #expect(throws: BitpalError.self) { _ = try plugin.provider(host) }
    #expect(error?.message.contains("has changed since it was trusted") == true)
    #expect(plugin.starts == 0)
  }

  @Test(arguments: ["127.0.0.1", "localhost", "192.168.0.7", "2130706433", "nas.local"])
  func `asks this machine and private networks only where a file of the user's own names them`(host: String)
    async throws
  {
    let plan = ScriptedPlugin.say(#"{"requests":[{"url":"https://\#(host)/p"}]}"#)
    for isOwn in [false, true] {
      let plugin = try ScriptedPlugin(plan: plan)
      var program = PluginProgram(command: ["/bin/sh", "plugin.sh"], folder: "/", hosts: [host])
      program.mayAskPrivateHosts = isOwn
      let specification = ProviderSpecification(id: "moonbase", name: "moonbase", kind: PluginKind(program))
      let transport = Answering()
      let outcome = await outcome(try plugin.provider(nil, specification, transport: transport))
      #expect(outcome.contains("97000.1") == isOwn, "\(outcome)")
      #expect(transport.requests.all.map(\.refusesPrivateAddresses) == (isOwn ? [false] : []))
      #expect(isOwn || outcome.contains("only a provider file of your own can name that under hosts"))
    }
  }

  @Test func `has the address of every other host looked at`() async throws {
    let plugin = try ScriptedPlugin()
    let transport = Answering()
    _ = await outcome(try plugin.provider(transport: transport))
    #expect(transport.requests.all.map(\.refusesPrivateAddresses) == [true])
  }
}
