import BitpalModel
import CExpat
import Glibc

/// A converter of XML to JSON.
///
/// Elements become objects with `@attribute`, children by name and `#text`; an element with nothing but text becomes
/// that text. A name that occurs several times in its element becomes an array.
///
/// libexpat reads the document, in UTF-8 whatever its declaration says: ``BodyText`` has converted it. Document types are
/// not supported: a DOCTYPE is refused, and with it every entity but the five of XML, so that a body can neither grow nor
/// name a file. Prefixes of namespaces remain as they are written.
package struct XMLReader {
  /// The deepest nesting that is read; with an object and an array per level it is within the limits of SQLite.
  package static let deepest = 100

  /// The largest number of elements: twenty times those of the European Central Bank's whole history of a currency.
  package static let most = 1_000_000

  /// The largest output in bytes.
  package static let largest = 64 << 20

  private let list: [String]

  /// Creates a converter.
  ///
  /// - Parameter list: The path of an element, from the root, that is an array even where it occurs only once.
  package init(list: [String] = []) {
    self.list = list
  }

  /// libexpat's version, such as `2.5.0`; nil where it is missing.
  package static var version: String? {
    bitpal_xml_load() == nil ? String(cString: bitpal_xml_version()).replacing("expat_", with: "") : nil
  }

  /// Converts a body into an object whose only member is the root.
  ///
  /// - Throws: ``BodyFault`` with line and column.
  package func json(_ body: [UInt8]) throws(BodyFault) -> [UInt8] {
    let tree = try tree(of: body)
    return try JSONOutput.array(body: body.count, atMost: Self.largest) { output throws(BodyFault) in
      tree.write(to: &output)
      if output.isFull { throw BodyFault("its elements become more than \(Self.largest >> 20) MiB") }
    }
  }

  /// Returns the offsets after the elements of the path, in the order of the document.
  ///
  /// - Throws: ``BodyFault`` with line and column.
  package func ends(in body: [UInt8]) throws(BodyFault) -> [Int] { try tree(of: body).ends }

  private func tree(of body: [UInt8]) throws(BodyFault) -> XMLTree {
    if let problem = bitpal_xml_load() { throw BodyFault(String(cString: problem)) }
    var tree = XMLTree(size: body.count, list: list)
    let fault = body.withUnsafeBufferPointer { bytes -> BodyFault? in
      do throws(BodyFault) {
        _ = try BodyFault.checkUTF8(bytes)
        return Self.fault(in: bytes, read: &tree)
      } catch {
        return error
      }
    }
    if let fault { throw fault }
    return tree
  }

  /// Reads a document into a tree; returns the fault for which it is refused.
  private static func fault(in bytes: UnsafeBufferPointer<UInt8>, read tree: inout XMLTree) -> BodyFault? {
    var receiver = bitpal_xml_receiver()
    receiver.start = { context, name, attributes in
      guard let name, let context else { return 0 }
      let bytes = XMLReader.bytes(name, strlen(name))
      return context.assumingMemoryBound(to: XMLTree.self).pointee.start(bytes, attributes) ? 1 : 0
    }
    receiver.end = { context, offset in
      context?.assumingMemoryBound(to: XMLTree.self).pointee.end(at: offset)
      return 1
    }
    receiver.text = { context, bytes, count in
      guard let bytes else { return }
      context?.assumingMemoryBound(to: XMLTree.self).pointee.append(XMLReader.bytes(bytes, Int(count)))
    }
    receiver.doctype = { context in
      context?.assumingMemoryBound(to: XMLTree.self).pointee.fault =
        "a DOCTYPE, which is refused: an answer defines no entities and names no files"
    }
    var fault = bitpal_xml_fault()
    let isGood = withUnsafeMutablePointer(to: &tree) { tree in
      receiver.context = UnsafeMutableRawPointer(tree)
      return UnsafeRawBufferPointer(bytes).withMemoryRebound(to: CChar.self) { bytes in
        bitpal_xml_parse(bytes.baseAddress, bytes.count, &receiver, &fault) == 1
      }
    }
    if isGood, tree.fault == nil { return nil }
    let message = tree.fault ?? fault.message.map { String(cString: $0) } ?? "it cannot be read"
    return BodyFault(message, at: fault.offset, of: bytes)
  }

  /// Returns bytes that libexpat gives, valid during its call.
  static func bytes(_ start: UnsafePointer<CChar>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
  }
}
