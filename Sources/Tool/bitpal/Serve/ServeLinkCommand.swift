import BitpalConfig
import BitpalModel
import BitpalQueries
import BitpalServe
import Glibc

/// The `bitpal serve link` command, which signs a browser in at a server that runs.
struct ServeLinkCommand: Command {
  static let name = "serve link"
  static let spec = CommandSpec(
    name, "print an address that signs a browser in at your server",
    options: [
      ParameterSpec("port", .count(1...65_535), "port of the server, where several of yours run"), Browser.option,
    ],
    details: [
      "The address works in one browser, within ten minutes, which then sees your watchlist, and with --portfolio of the server your "
        + "portfolio, for 30 days, also after the server was started again. The end of the address is the code for which the pages ask.",
      "It finds servers that run as the same user with the same state folder (XDG_STATE_HOME), in another terminal or under "
        + "systemd. One with --token-file takes the token instead. To sign out all browsers, remove the file bitpal/serve/key in "
        + "the state folder and start the server again.",
    ],
    examples: [
      .init("serve link", "an address for a second browser, or for a server under systemd"),
      .init("serve link --open", "open the pages, and print the code to type there"),
    ])

  private let port: Int?
  private let opensBrowser: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    port = try arguments.raw.number("port", in: 1...65_535)
    opensBrowser = arguments.raw.has("open")
  }

  func run(_ session: Session) async throws -> ExitStatus {
    guard let path = session.environment.serveFolder else {
      throw BitpalError.dataFile(path: "HOME", reason: "it is not set, so the folder of your servers is unknown")
    }
    let folder = try OwnerFolder(path)
    let servers = folder.servers().filter { url in port.map { url.hasSuffix(":\($0)") } ?? true }
    guard let url = servers.first else {
      let user = geteuid() == 0 ? "; one of another user is found by that user only" : ""
      throw BitpalError.usage(
        "no server of yours runs" + (port.map { " at port \($0)" } ?? "") + " that a browser signs in to",
        hint: "start one with \"bitpal serve --portfolio\"; one with --token-file takes its token" + user)
    }
    guard servers.count == 1 else {
      throw BitpalError.usage(
        "several servers of yours run: \(servers.joined(separator: ", "))", hint: "choose one by --port")
    }
    let code = try folder.issue(at: SystemTime().now)
    try session.console.answer(code.address(at: url) + "\n")
    session.console.notice("for one browser, within 10 minutes; where a page asks for a code, it is \(code)")
    if opensBrowser, let problem = await Browser(url + "/", environment: session.environment).open() {
      session.console.warning("no browser was opened: \(problem); open \(url)")
    }
    return .answered
  }
}
