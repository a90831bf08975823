import BitpalCharts
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalQueries

/// The options that state the form of a chart: its size, its characters, or a file for the picture.
struct ChartPicture: Sendable {
  /// The options of every command that draws a chart.
  static let options =
    [
      ParameterSpec("svg", .text("FILE"), "write the picture as SVG; - for standard output"),
      ParameterSpec(
        "width", .text("N"),
        "width in columns, 20 to 300 (the terminal's, or 80); of an SVG in pixels, 320 to 4000"),
      ParameterSpec("height", .text("N"), "height in rows, 3 to 100; of an SVG in pixels, 200 to 4000"),
    ] + [ChartQuery.points] + [
      ParameterSpec("ascii", .flag, "draw in ASCII (as in the locale C)"),
      ParameterSpec("rows", .flag, "print a table instead of a drawing"),
    ]

  /// The largest number of points; nil for all of them.
  let count: Int?
  private let svg: String?
  private let width: Int?
  private let height: Int?
  private let isASCII: Bool
  private let asRows: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    svg = arguments.raw["svg"]
    try Self.check(svg)
    if svg != nil, arguments.options.format != .table {
      throw .usage(
        "--svg writes a picture, and not --format \(arguments.options.format.rawValue)",
        hint: "give one of them; without --svg the same command prints the numbers")
    }
    width = try arguments.raw.number("width", in: svg == nil ? 20...300 : SVGChart.sizes.width)
    height = try arguments.raw.number("height", in: svg == nil ? 3...100 : SVGChart.sizes.height)
    count = try arguments.raw.number(ChartQuery.points)
    isASCII = arguments.raw.has("ascii")
    asRows = arguments.raw.has("rows")
  }

  /// Throws ``BitpalError/usage(_:hint:)`` for a file name with the extension of another kind of picture.
  private static func check(_ path: String?) throws(BitpalError) {
    guard let name = path?.split(separator: "/").last, let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return
    }
    guard name[dot...].lowercased() != ".svg" else { return }
    let stem = name[..<dot]
    throw .usage(
      "--svg: \(name) is not named as an SVG file, and no other kind of picture is written",
      hint: "give --svg \(stem).svg, and convert that: rsvg-convert \(stem).svg -o \(name)")
  }

  /// Writes the picture to the file of `--svg`, or otherwise the view in the format asked for.
  ///
  /// - Throws: `BitpalError` when the file or standard output cannot be written.
  func show(_ view: some View, chart: Chart, _ session: Session) throws(BitpalError) {
    guard let svg else { return try session.show(view) }
    let picture = SVGChart(chart, width: width ?? 960, height: height ?? 480, digits: session.options.digits)
    if let height, picture.height > height {
      throw BitpalError.usage(
        "--height: the titles and the credit of the source need \(picture.height) pixels at this width",
        hint: "give --height \(picture.height), or a larger --width")
    }
    if svg == "-" { return try session.console.answer(picture.document()) }
    try FileReplacement.replace(svg, with: Array(picture.document().utf8), access: .shared)
    session.console.notice("wrote \(svg)")
  }

  /// Returns the size and the characters of a drawing in the terminal; nil when `--rows` asks for a table of rows.
  func canvas(_ session: Session) -> ChartCanvas? {
    if asRows { return nil }
    let console = session.console
    return ChartCanvas(
      width: width, height: height, ascii: isASCII || session.wantsASCII,
      terminal: console.isTerminal ? TerminalSize.current { session.environment.value($0) } : nil)
  }
}
