/// Runs a target under libFuzzer.
///
/// SwiftPM knows no program without a start of its own, and names it after the program; libFuzzer has its own, which is
/// called from there. A target that finds something ends the process (`fatalError`, `precondition`): that is how libFuzzer
/// is told, which then keeps the input.
public enum FuzzDriver {
  /// The words of the command line, as C has them.
  public typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

  /// What libFuzzer calls with one input after another; always 0.
  public typealias Target = @convention(c) (_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt

  /// Calls `target` with inputs until the time is up.
  public static func run(_ count: CInt, _ words: Words, _ target: Target) -> CInt {
    var count = count
    var words = words
    return libFuzzer(&count, &words, target)
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func libFuzzer(
  _ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutablePointer<FuzzDriver.Words>, _ target: FuzzDriver.Target
) -> CInt
