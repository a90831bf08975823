import BitpalCharts
import BitpalModel

/// A piece of a page.
///
/// Whatever text goes into it comes out as text, because there is no other way in: the names of elements and attributes are
/// written here, addresses are made of parts, and markup that is not made here is a drawing of ours. A coin whose name is a
/// script is shown by its name.
struct HTML: Equatable, Sendable {
  /// As it is sent.
  private(set) var markup = ""

  /// Nothing.
  static let nothing = HTML(markup: "")

  private init(markup: String) {
    self.markup = markup
  }

  /// Creates text; characters that steer a terminal, are invisible or change the direction of writing are replaced.
  ///
  /// - Parameter limit: The number of characters that may be shown.
  init(_ text: String, limit: Int = 400) {
    markup = XMLText.escaped(text.printable(limit: limit))
  }

  init(_ drawing: SVGDrawing) {
    markup = drawing.markup
  }

  /// The elements that pages are made of.
  enum Tag: String {
    case a, b, bdi, body, button, caption, datalist, div, figure, footer, form, h1, h2, head, header, html, input, kbd
    case li, link, main, meta, nav, option, output, p, script, section, small, span, strong, table, tbody, td, th, thead
    case title, tr, ul

    /// Whether it holds nothing and has no end.
    fileprivate var isVoid: Bool { [.input, .link, .meta].contains(self) }
  }

  /// An element; nil among its attributes is none.
  static func element(
    _ tag: Tag, _ attributes: [Attribute?] = [], @HTMLBuilder _ content: () -> HTML = { .nothing }
  ) -> HTML {
    let words = attributes.compactMap { $0.map { " " + $0.markup } }.joined()
    let begin = "<\(tag.rawValue)\(words)>"
    return HTML(markup: tag.isVoid ? begin : "\(begin)\(content().markup)</\(tag.rawValue)>")
  }

  /// A whole document.
  static func document(_ root: HTML) -> String { "<!doctype html>\n" + root.markup + "\n" }

  static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.markup + right.markup) }

  static func joined(_ parts: [HTML]) -> HTML { HTML(markup: parts.map(\.markup).joined()) }
}

/// An attribute of an element; none of them runs anything or brings a style.
struct Attribute: Equatable, Sendable {
  fileprivate let markup: String

  /// Attributes with text.
  enum Name: String {
    case id, `class`, role, lang, name, value, type, placeholder, list, form, method, content, charset, rel, title
    case scope, autocomplete, download, tabindex, maxlength
    case ariaLabel = "aria-label"
    case ariaCurrent = "aria-current"
    case ariaSort = "aria-sort"
    case ariaPressed = "aria-pressed"
    case ariaKeys = "aria-keyshortcuts"
    case dataAge = "data-age"
    case dataLabel = "data-label"
    case dataEvents = "data-events"
    case dataMarks = "data-marks"
    case dataPrice = "data-price"
    case dataSpark = "data-spark"
    case dataPlaces = "data-places"
  }

  /// Attributes without a value.
  enum Switch: String {
    case hidden, required
    case dataLive = "data-live"
    case dataStill = "data-still"
  }

  /// Attributes with an address of ours.
  enum Link: String {
    case href, action, formaction, src
  }

  private init(markup: String) {
    self.markup = markup
  }

  static func text(_ name: Name, _ value: String) -> Attribute {
    Attribute(markup: "\(name.rawValue)=\"\(XMLText.escaped(value.printable(), quotes: true))\"")
  }

  static func flag(_ name: Switch) -> Attribute { Attribute(markup: name.rawValue) }

  static func link(_ name: Link, _ path: PagePath) -> Attribute {
    Attribute(markup: "\(name.rawValue)=\"\(XMLText.escaped(path.text, quotes: true))\"")
  }

  static func `class`(_ names: String) -> Attribute { text(.class, names) }
  static func href(_ path: PagePath) -> Attribute { link(.href, path) }
}

/// An address of this server, made of parts: it can be neither an address of another server nor a script.
struct PagePath: Equatable, Sendable {
  /// `/coin/bitcoin?range=1W`.
  let text: String

  /// - Parameters:
  ///   - segments: The segments of the path, not encoded.
  ///   - query: The parameters; those with nil are left out.
  init(_ segments: [String] = [], query: KeyValuePairs<String, String?> = [:]) {
    let items = query.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
    // An empty one would make the next the name of a server.
    let path = segments.filter { !$0.isEmpty }.map(Self.encoded).joined(separator: "/")
    text =
      "/" + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  private init(text: String) {
    self.text = text
  }

  /// The path and query of a request.
  init(of request: WebRequest) {
    let items = request.query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
    text = PagePath(request.path).text + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// A place of the page that is shown.
  static func here(_ name: StaticString) -> PagePath { PagePath(text: "#\(name)") }

  /// With what RFC 3986 does not let stand for itself in any part written in percent.
  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: ","), UInt8(ascii: ":"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
  }
}

/// Pieces one after the other, text among them.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ text: String) -> HTML { HTML(text) }
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ html: HTML?) -> HTML { html ?? .nothing }
  static func buildBlock(_ parts: HTML...) -> HTML { .joined(parts) }
  static func buildOptional(_ html: HTML?) -> HTML { html ?? .nothing }
  static func buildEither(first html: HTML) -> HTML { html }
  static func buildEither(second html: HTML) -> HTML { html }
  static func buildArray(_ parts: [HTML]) -> HTML { .joined(parts) }
}
