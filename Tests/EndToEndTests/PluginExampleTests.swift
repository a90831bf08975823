import Foundation
import Testing

@Suite(.ownThreads) struct `Plugins that are shipped or begun` {
  private static let examples = Repository.root + "/Examples/plugins"

  @Test(arguments: [("html-table", "py"), ("coincap", "sh"), ("signed", "pl")])
  func `An example keeps its promises offline, in fifteen lines`(id: String, ending: String) throws {
    let text = try String(contentsOfFile: "\(Self.examples)/\(id).\(ending)", encoding: .utf8)
    #expect(text.split(separator: "\n").count <= 15)
    let world = try World()
    let settings = try world.write("bitpal: 1\nproviders_dir: \(Self.examples)\n", to: "examples.yaml")
    let outcome = try world.run("bitpal -c \(settings) providers check \(id) --format json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors == "")
    #expect(!outcome.output.contains("\"outcome\": \"FAILED\"") && outcome.output.contains("\"ok\": true"))
  }

  @Test(arguments: [("python", "py"), ("sh", "sh"), ("perl", "pl")])
  func `A plugin that is begun passes its check at once, and runs where its folder is trusted`(
    language: String, ending: String
  ) throws {
    let world = try World()
    let new = try world.run("bitpal providers new luna_2 --plugin \(language)")
    #expect(new.status == 0, "\(new)")
    #expect(
      new.output == """
        wrote providers/luna_2.\(ending): what to ask, and how to read the answer
        wrote providers/luna_2.yaml: what starts it, and examples of answers
        its examples come out right
        next: put the source's own hosts, requests and answers into both, and after each change run
          bitpal providers check luna_2

        """)
    let check = try world.run("bitpal providers check luna_2")
    #expect(check.status == 0 && check.errors == "", "\(check)")
    #expect(check.output.contains("\n4 examples ok\n") && check.output.contains("13 rules, none broken"))
    let list = try world.run("bitpal providers list --format jsonl | grep luna")
    #expect(list.output.contains(#""kind":"plugin","capabilities":["quotes"]"#), "\(list)")
  }

  @Test func `Nothing that is there is overwritten, and nothing half is left`() throws {
    let world = try World()
    try world.write("mine", to: "providers/luna.sh")
    let taken = try world.run("bitpal providers new luna --plugin sh; cat providers/luna.sh; ls providers | grep luna")
    #expect(taken.output == "mineluna.sh\n" && taken.errors.contains("luna.sh"), "\(taken)")
    let both = try world.run("bitpal providers new luna --plugin sh --from-file x.json")
    #expect(
      both.status == 2
        && both.errors == "bitpal: --from-file has no meaning with --plugin, which looks at no answer\n", "\(both)")
  }

  @Test func `Doctor names plugins that are not trusted, and what keeps the others in`() throws {
    let world = try World(isTrusted: false)
    try world.write("bitpal: 1\nproviders_dir: providers\nprovider: luna\n", to: "config.yaml")
    try world.write(
      "id: luna\nname: Luna\nkind: plugin\ncommand: [sh, luna.sh]\nhosts: [luna.example]\n", to: "providers/luna.yaml")
    let doctor = try world.run("bitpal doctor --offline --format jsonl | grep -E '\"(luna|plugins)\"'")
    #expect(
      doctor.output.contains(#""subject":"luna","verdict":"bad","message":"in use, a plugin that is not started"#))
    #expect(doctor.output.contains(#""fix":"bitpal trust""#))
    let bare = try world.run("PATH=${PATH%%:*} bitpal doctor --offline --format jsonl | /bin/grep '\"plugins\"'")
    #expect(bare.output.contains(#""verdict":"warning""#) && bare.output.contains("apt install bubblewrap"), "\(bare)")
  }
}
