import BitpalConfig
package import BitpalModel
package import BitpalProviders
package import FoundationEssentials
package import TestSupport

/// A provider file of a test, read the way real ones are.
package struct Declared {
  /// The time at which windows of tests end.
  package static let now = Date(milliseconds: 1_736_937_000_000)

  /// The folder with the files we ship.
  package static let shipped = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/providers"

  /// Where the file is.
  package let folder: TemporaryFolder
  private let id: String

  /// What stands before the operations; it takes four lines.
  package static let head = "id: mine\nname: Mine\nkind: http\nbase_url: https://api.example.com/v1\n"

  /// A file with the usual head and this text.
  package init(_ text: String, id: String = "mine") throws {
    folder = try TemporaryFolder()
    self.id = id
    try folder.write(Self.head.replacing("mine", with: id) + text + "\n", to: "\(id).yaml")
  }

  /// What the file says.
  package var specification: ProviderSpecification {
    get throws {
      try ProviderCatalog(settings: Settings(providersDirs: [folder.path])).specification(for: id)
    }
  }

  /// A window that ends at ``now``.
  package static func window(_ length: Duration) -> TimeWindow {
    TimeWindow(ending: now, length: length)
  }
}
