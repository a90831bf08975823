import BitpalFiles
import BitpalJSON
import BitpalModel

/// A decoder of `fleet:` in a settings file.
struct FleetDecoder {
  /// The user's home, for paths that begin with `~`.
  let home: String?

  /// Returns the fleet; nil for a bad address or without one, which turns the fleet off.
  func decode(_ value: DeclaredValue) -> FleetSettings? {
    let decoder = value.mapping(keys: ["redis", "members", "ca", "prefix"])
    let address = decoder["redis"].flatMap(self.address)
    let members = decoder["members"].flatMap { $0.integer(in: FleetSettings.possibleMembers) }
    let certificates = decoder["ca"].flatMap { self.certificates($0, for: address) }
    let prefix = decoder["prefix"].flatMap(self.prefix)
    guard let address else { return nil }
    return FleetSettings(
      address: address, members: members ?? FleetSettings.standardMembers,
      certificates: certificates, prefix: prefix ?? FleetSettings.standardPrefix)
  }

  private func address(_ value: DeclaredValue) -> FleetAddress? {
    guard let text = value.text("an address like redis://cache.example:6379/0") else { return nil }
    do throws(FleetAddress.Fault) {
      return try FleetAddress(text)
    } catch {
      let node = value.entry.value
      // The excerpt in the issue would show a password in the address.
      guard !text.contains("@") else {
        return value.fail(
          ConfigurationIssue(
            file: node.source.file, line: node.mark.line, column: node.mark.column,
            message: "\(value.name) \(error.message)"))
      }
      return value.reject("\(value.name) \(error.message)")
    }
  }

  private func certificates(_ value: DeclaredValue, for address: FleetAddress?) -> String? {
    guard let path = value.text("the path of a PEM file") else { return nil }
    if let address, !address.isEncrypted {
      return value.reject(
        "\(value.name) is for TLS, which \(address) does not speak: write rediss:// in fleet.redis, or leave it out")
    }
    return PathText.resolved(path, in: value.entry.source.directory, home: home)
  }

  private func prefix(_ value: DeclaredValue) -> String? {
    guard let text = value.text("a prefix like bitpal-home") else { return nil }
    guard FleetSettings.isPrefix(text) else {
      return value.reject(
        "\(value.name) must be bitpal and letters, digits, -, _ and . after it, like bitpal-home or {bitpal-home}, "
          + "not \"\(text.printable(limit: 60))\"")
    }
    return text
  }
}
