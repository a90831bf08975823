/// What is not taken from files that may have come with somebody else's work.
///
/// A cloned repository must not be able to collect keys: it may neither name the hosts a key goes to, nor the variable
/// of another service's key.
enum UntrustedProviderKeys {
  /// The mapping without what is not honoured, and a sentence for each key left out.
  static func removed(from node: YAMLNode, provider id: String) -> (node: YAMLNode, warnings: [String]) {
    var node = node
    var warnings: [String] = []
    func remove(_ entry: YAMLNode.Entry, _ rule: String) {
      warnings.append(
        "\(entry.value.source.file):\(entry.keyMark.line): \(entry.key) is ignored\(rule), because config.yaml was found "
          + "in the current folder and may have come with somebody else's files; name it with --config to trust it")
      node = node.removing(entry.key)
    }
    if let hosts = node.entry("key_hosts") { remove(hosts, "") }
    if let variable = node.entry("key_env"), case .scalar(let name, _) = variable.value.content {
      let prefix = id.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" } + "_"
      if !name.hasPrefix(String(prefix)) {
        remove(variable, " (a variable of \(id) begins with \(String(prefix)))")
      }
    }
    return (node, warnings)
  }
}
