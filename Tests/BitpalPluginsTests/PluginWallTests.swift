import BitpalModel
import BitpalPlugins
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct `The wall around a plugin` {
  /// A folder with a `bwrap` that is a script.
  private func wall(_ plugin: ScriptedPlugin, _ script: String) throws -> String {
    let path = try plugin.folder.write("#!/bin/sh\n" + script, to: "wall/bwrap")
    #expect(chmod(path, 0o755) == 0)
    return plugin.folder.path + "/wall"
  }

  /// Does what `bwrap` does to no more than the words: runs what stands behind `--`, in the folder.
  private static let standing = """
    printf '%s\\n' "$@" > "$(dirname "$0")/../arguments"
    while [ "$1" != -- ]; do [ "$1" = --chdir ] && cd "$2"; shift; done
    shift
    echo "$*" >> "$(dirname "$0")/../behind"
    exec "$@"
    """

  @Test func `stands where there is one`() async throws {
    let plugin = try ScriptedPlugin()
    let wall = try wall(plugin, Self.standing)
    #expect(await outcome(try plugin.provider(plugin.host(wall: wall))) == "97000.1")
    let behind = try String(contentsOfFile: plugin.folder.path + "/behind", encoding: .utf8)
    #expect(
      behind.hasSuffix(" --nproc=64 -- /bin/sh plugin.sh\n") && behind.contains(" --data=536870912 "), "\(behind)")
  }

  @Test func `shows no link that leads out of the folder`() async throws {
    let plugin = try ScriptedPlugin()
    let wall = try wall(plugin, Self.standing)
    let other = try TemporaryFolder()
    try other.write("secret", to: "id_rsa")
    try plugin.folder.write("{}", to: "inside/data.json")
    let folder = plugin.folder.path
    for (name, target) in [
      ("keys", other.path), ("all", "/"), ("key", other.path + "/id_rsa"), ("lost", "/nowhere"), ("up", ".."),
      ("near", "inside"), ("far", "inside/../../x"),
    ] {
      #expect(symlink(target, folder + "/" + name) == 0)
    }
    #expect(await outcome(try plugin.provider(plugin.host(wall: wall))) == "97000.1")
    let words = try String(contentsOfFile: folder + "/arguments", encoding: .utf8).split(separator: "\n").map(
      String.init)
    for name in ["keys", "all", "key", "lost", "up", "far"] { #expect(!words.contains(folder + "/" + name), "\(name)") }
    #expect(
      words.contains(folder + "/near") && words.contains(folder + "/inside") && words.contains(folder + "/plugin.sh"))
  }

  @Test func `is done without where the system refuses it`() async throws {
    let plugin = try ScriptedPlugin()
    let wall = try wall(plugin, "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    #expect(PluginLaunch.sandbox(variables: ["PATH": wall + ":/usr/bin:/bin"]) == .refused)
    #expect(await outcome(try plugin.provider(plugin.host(wall: wall))) == "97000.1")
  }

  @Test func `does not fall because the plugin says that it has`() throws {
    let plugin = try ScriptedPlugin(hello: "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    let wall = try wall(plugin, Self.standing)
    let error = #expect(throws: BitpalError.self) { _ = try plugin.provider(plugin.host(wall: wall)) }
    #expect(error?.message.contains("ended instead of answering (exit status 1)") == true)
    #expect(plugin.starts == 1)
  }
}
