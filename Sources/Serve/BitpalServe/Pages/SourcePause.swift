import BitpalModel

/// A source that allows no more requests for a while, which a page says once however many parts wait for it.
struct SourcePause: Sendable {
  let error: BitpalError
  let provider: String

  /// The variable for a key that allows more requests; nil where there is one already, and where none is known.
  let keyVariable: String?

  /// Returns the note, whose script counts the seconds down.
  var note: HTML {
    let seconds = error.retryAfter.map { max(1, $0.roundedUp.components.seconds) }
    return .element(.div, [.text(.id, "pause"), .class("note warning")]) {
      HTML.element(.p) {
        "\(provider) allows no more requests for now. "
        if let seconds {
          "This page fills by itself in "
          HTML.element(.b, [.text(.dataWait, "\(seconds)")]) { "\(seconds) s" }
          "."
        } else {
          "Load the page again in a minute."
        }
      }
      if let keyVariable {
        HTML.element(.p) {
          "With a key the source allows more; many give one for free. Put it into "
          HTML.element(.kbd) { keyVariable }
          " and start the server again."
        }
      }
    }
  }
}

extension BitpalError {
  /// The pause that a source wants, or that its budget of requests asks for; nil for any other failure.
  var pause: SourcePause? {
    switch self {
    case .budgetUsed(let provider, _, _, _, let key):
      SourcePause(error: self, provider: provider.printable(limit: 80), keyVariable: key)
    case .rateLimited(let provider, _, _):
      SourcePause(error: self, provider: provider.printable(limit: 80), keyVariable: nil)
    case .allFailed(let causes): causes.decisiveOnes.lazy.compactMap(\.error.pause).first
    default: nil
    }
  }
}
