import BitpalCharts
import BitpalConfig
import BitpalFiles
import BitpalModel

/// How a chart is drawn, as it is asked for: size, characters, or a file of its own.
struct ChartPicture: Sendable {
  /// The options that say it.
  static let options = [
    OptionSpec(.svg, .text("FILE"), help: "write the picture as SVG; - for standard output"),
    OptionSpec(
      .width, .text("N"), help: "columns, 20 to 300, the terminal's or 80 by default; of an SVG pixels, 320 to 4000"),
    OptionSpec(.height, .text("N"), help: "rows of the plot, 3 to 100; of an SVG pixels, 200 to 4000"),
    OptionSpec(.points, .text("N"), help: "at most so many points, in every format"),
    OptionSpec(.ascii, help: "draw with plain characters only"),
    OptionSpec(.rows, help: "a table of rows instead of a drawing"),
  ]

  /// The most points; nil for all.
  let count: Int?
  private let svg: String?
  private let width: Int?
  private let height: Int?
  private let isASCII: Bool
  private let asRows: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    svg = arguments.raw.value(.svg)
    try Self.check(svg)
    width = try arguments.number(.width, in: svg == nil ? 20...300 : SVGChart.sizes.width)
    height = try arguments.number(.height, in: svg == nil ? 3...100 : SVGChart.sizes.height)
    count = try arguments.number(.points, in: 2...100_000)
    isASCII = arguments.raw.has(.ascii)
    asRows = arguments.raw.has(.rows)
  }

  /// Refuses a file whose name says that it is a picture of another kind.
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

  /// Writes the picture where it was wanted, else the view in the form asked for.
  func show(_ view: some View, chart: Chart, _ session: Session) throws(BitpalError) {
    guard let svg else { return try session.show(view) }
    let picture = SVGChart(chart, width: width ?? 960, height: height ?? 480, digits: session.options.digits)
    if svg == "-" { return try session.console.answer(picture.document()) }
    try FileReplacement.replace(svg, with: Array(picture.document().utf8), access: .shared)
    session.console.notice("wrote \(svg)")
  }

  /// How a table is drawn; nil when rows were asked for.
  func canvas(_ session: Session) -> ChartCanvas? {
    if asRows { return nil }
    let console = session.console
    return ChartCanvas(
      width: width, height: height, ascii: isASCII,
      terminal: console.isTerminal ? TerminalSize.current { session.environment.value($0) } : nil)
  }
}
