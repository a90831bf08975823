/// The characters of scales and legends.
struct TerminalGlyphs {
  let axis: Character
  let axisTick: Character
  let last: Character
  let base: Character
  let baseTick: Character
  let corner: Character
  let rise: String
  let fall: String
  let openMark: Character
  let series: [String]

  static func of(_ options: TerminalOptions) -> TerminalGlyphs { options.ascii ? ascii : unicode }

  private static let unicode = TerminalGlyphs(
    axis: "│", axisTick: "├", last: "◄", base: "─", baseTick: "┬", corner: "┘", rise: "▲ ", fall: "▼ ", openMark: "○",
    series: ["──", "╌╌", "┈┈", "─·"])

  private static let ascii = TerminalGlyphs(
    axis: "|", axisTick: "+", last: "<", base: "-", baseTick: "+", corner: "+", rise: "", fall: "", openMark: "^",
    series: ["**", "oo", "xx", "++"])
}
