import BitpalFiles

extension Settings {
  /// Creates the settings of a program that names its source itself: no file of the user's is read, and none written.
  ///
  /// - Parameters:
  ///   - id: The provider's id.
  ///   - folder: The folder of its file; nil for a shipped one, or none.
  ///   - environment: The environment with the key of the provider.
  package init(asking id: String, in folder: String?, environment: Environment) {
    let folder = folder.map { PathText.joined(environment.currentDirectory, $0) }
    self.init(
      provider: [id], providersDirs: [folder, PathText.joined(ShippedFiles.folder, "providers")].compactMap(\.self))
    currentDirectory = environment.currentDirectory
    keys = KeyStore(environment: environment)
    zoneFolders = environment.zoneFolders
  }
}

extension Environment {
  /// Returns the environment without the user's home, keys and folders: what a service needs that reads none of them.
  ///
  /// - Parameter keys: The keys that a program has itself, by the names of their variables.
  package func alone(adding keys: [String: String] = [:]) -> Environment {
    let kept = variables.filter { ["PATH", "TZDIR", "TMPDIR"].contains($0.key) }
    return Environment(variables: kept.merging(keys) { _, own in own }, currentDirectory: currentDirectory)
  }
}
