import CYAML

/// The libyaml that this process uses.
package enum YAMLLibrary {
  /// Its version, such as `0.2.5`.
  package static var version: String { String(cString: yaml_get_version_string()) }
}
