public import BitpalModel

extension ProviderCatalog {
  /// Checks that a new provider may have this id.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for what is no id, or the id of a provider that is there.
  public func checkNew(id: String) throws(BitpalError) {
    if let problem = ProviderID.problem(of: id) { throw .usage(problem) }
    guard !ids().contains(id) else {
      throw .usage(
        "there is a provider \"\(id)\" already",
        hint: "choose another name, or look at it with \"bitpal providers show \(id)\"")
    }
  }
}
