import BitpalCharts
import BitpalModel

/// A fragment of HTML.
///
/// All text is escaped, because it cannot be added in another way: names of elements and attributes are enumerations,
/// addresses are built from parts, and the only other markup is a drawing made by this program. A coin whose name is a
/// script is shown with that name.
struct HTML: Equatable, Sendable {
  /// The markup that is sent.
  private(set) var markup = ""

  /// An empty fragment.
  static let nothing = HTML(markup: "")

  private init(markup: String) {
    self.markup = markup
  }

  /// Creates escaped text; characters that control a terminal, are invisible or change the writing direction are
  /// replaced.
  ///
  /// - Parameter limit: The largest number of characters; longer text is shortened.
  init(_ text: String, limit: Int = 400) {
    markup = XMLText.escaped(text.printable(limit: limit))
  }

  /// The style of a page that loads nothing.
  static let style = HTML(
    markup:
      "<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 12vh auto; padding: 0 1.2rem; "
      + "overflow-wrap: anywhere } h1 { font-size: 1.3rem }</style>")

  init(_ drawing: SVGDrawing) {
    markup = drawing.markup
  }

  /// The elements that pages use.
  enum Tag: String {
    case a, b, bdi, body, button, caption, datalist, div, figure, footer, form, h1, h2, head, header, html, input, kbd
    case label, li, link, main, meta, nav, option, output, p, script, section, small, span, strong, table, tbody, td,
      th, thead
    case title, tr, ul

    /// Whether the element is void, without content and end tag.
    fileprivate var isVoid: Bool { [.input, .link, .meta].contains(self) }
  }

  /// Returns an element; attributes that are nil are omitted.
  static func element(
    _ tag: Tag, _ attributes: [Attribute?] = [], @HTMLBuilder _ content: () -> HTML = { .nothing }
  ) -> HTML {
    let words = attributes.compactMap { $0.map { " " + $0.markup } }.joined()
    let begin = "<\(tag.rawValue)\(words)>"
    return HTML(markup: tag.isVoid ? begin : "\(begin)\(content().markup)</\(tag.rawValue)>")
  }

  /// Returns a whole document with its root element.
  static func document(_ root: HTML) -> String { "<!doctype html>\n" + root.markup + "\n" }

  static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.markup + right.markup) }

  static func joined(_ parts: [HTML]) -> HTML { HTML(markup: parts.map(\.markup).joined()) }
}

/// An attribute of an element; none can contain a script or a style.
struct Attribute: Equatable, Sendable {
  fileprivate let markup: String

  /// The attributes with text.
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
    case dataWait = "data-wait"
  }

  /// The attributes without a value.
  enum Switch: String {
    case hidden, required
    case dataLive = "data-live"
    case dataStill = "data-still"
  }

  /// The attributes with an address of this server.
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

/// An address of this server, built from parts, so that it cannot be another server's address or a script.
struct PagePath: Equatable, Sendable {
  /// The path and the query, such as `/coin/bitcoin?range=1W`.
  let text: String

  /// Creates an address.
  ///
  /// - Parameters:
  ///   - segments: The segments of the path, not yet encoded.
  ///   - query: The parameters, not yet encoded; those with nil are omitted.
  init(_ segments: [String] = [], query: KeyValuePairs<String, String?> = [:]) {
    let items = query.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
    // After an empty segment, `//`, the next one would be the name of a server.
    let path = segments.filter { !$0.isEmpty }.map(Self.encoded).joined(separator: "/")
    text =
      "/" + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  private init(text: String) {
    self.text = text
  }

  /// Creates the address of a request, without some of its parameters.
  init(of request: WebRequest, without omitted: [String] = []) {
    let items = request.query.filter { !omitted.contains($0.name) }.map {
      "\(Self.encoded($0.name))=\(Self.encoded($0.value))"
    }
    text = PagePath(request.path).text + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// Returns the address of an element of the current page.
  static func here(_ name: StaticString) -> PagePath { PagePath(text: "#\(name)") }

  /// Returns a text in which everything except RFC 3986's unreserved characters, commas and colons is percent-encoded.
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

/// A result builder that joins fragments and texts.
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
