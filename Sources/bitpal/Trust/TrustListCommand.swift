import BitpalConfig
import BitpalJSON
import BitpalModel

/// What `bitpal trust list` does.
struct TrustListCommand: Command {
  func run(_ session: Session) throws -> ExitStatus {
    let folders = try TrustedFolders(environment: session.environment).all()
    try session.show(
      TrustView(
        folders.map { folder in
          let content = (try? session.content(of: folder.path)) ?? nil
          return TrustView.Row(
            folder: folder.path,
            state: content.map { $0.digest == folder.digest ? .trusted : .changed } ?? .gone)
        }))
    return .answered
  }
}

/// The folders that are trusted.
struct TrustView: View {
  /// What has become of a folder.
  enum State: String, Sendable {
    /// It is as it was.
    case trusted

    /// Something in it is another now, so it is asked for again.
    case changed

    /// There are no settings any more, or none that can be read.
    case gone
  }

  /// A folder.
  struct Row: Sendable {
    let folder: String
    let state: State
  }

  private let folders: [Row]

  init(_ folders: [Row]) {
    self.folders = folders
  }

  var columns: [String] { ["folder", "state"] }

  var rows: [JSONObject] { folders.map { ["folder": .string($0.folder), "state": .string($0.state.rawValue)] } }

  var json: JSONObject {
    ["schema": "bitpal.trusted/1", "folders": .array(rows.map(JSONValue.object)), "errors": []]
  }

  func table(style: Style) -> String {
    var table = TextTable([.init("FOLDER", widest: 400), .init("STATE")])
    for row in folders {
      table.add([.init(row.folder), .init(row.state.rawValue, row.state == .trusted ? .good : .warning)])
    }
    return table.text(style: style)
  }
}
