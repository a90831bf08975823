/// How sure a guess is.
public enum Sureness: String, CaseIterable, Sendable {
  /// Name and numbers say the same, or the name leaves no doubt.
  case certain

  /// One sign points there, none away.
  case likely

  /// Something had to be taken; look at it.
  case guess
}
