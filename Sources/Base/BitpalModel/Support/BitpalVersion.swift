#if !canImport(Glibc)
  #error("bitpal runs on Linux with glibc; docs/releasing.md says what is missing elsewhere")
#endif

/// The version of the library and the tool.
public enum BitpalVersion {
  /// The version, by the rules of semantic versioning.
  public static let current = "1.0.0"

  /// The name and version that sources see.
  package static let userAgent = "bitpal/\(current)"
}
