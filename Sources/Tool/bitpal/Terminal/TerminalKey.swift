/// A key of a terminal.
enum TerminalKey: Hashable, Sendable {
  case text(Character)
  case enter
  case erase
  case up
  case down
  case escape
}

/// A reader of keys in the bytes that a terminal sends: characters in UTF-8, and the arrow keys as escape sequences.
struct KeyReader: Sendable {
  private static let escape: UInt8 = 0x1B

  private var pending: [UInt8] = []

  /// Whether the bytes so far may be the beginning of a key, or a whole one if no other follows.
  var isPending: Bool { !pending.isEmpty }

  /// Takes a byte, and returns the key that it completes; nil for a part of a key and for one without a meaning here.
  mutating func take(_ byte: UInt8) -> TerminalKey? {
    if pending.first == Self.escape {
      pending.append(byte)
      // CSI and SS3: `ESC [ A` and `ESC O A`; parameters may stand between.
      guard pending.count > 2, (0x40...0x7E).contains(byte) || pending.count > 16 else {
        return pending.count == 2 && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "O") ? end(with: nil) : nil
      }
      return end(with: byte == UInt8(ascii: "A") ? .up : byte == UInt8(ascii: "B") ? .down : nil)
    }
    switch byte {
    case Self.escape:
      pending = [byte]
      return nil
    case 0x0A, 0x0D: return end(with: .enter)
    case 0x08, 0x7F: return end(with: .erase)
    case 0x10: return end(with: .up)
    case 0x0E: return end(with: .down)
    case 0x00..<0x20: return end(with: nil)
    default: break
    }
    pending.append(byte)
    if let text = String(validating: pending, as: UTF8.self), let character = text.first {
      return end(with: .text(character))
    }
    return pending.count < 4 ? nil : end(with: nil)
  }

  /// Returns the key that the bytes so far are when no other follows: a lone escape is that key.
  mutating func pause() -> TerminalKey? { end(with: pending == [Self.escape] ? .escape : nil) }

  private mutating func end(with key: TerminalKey?) -> TerminalKey? {
    pending = []
    return key
  }
}
