import BitpalModel

/// The ways for the owner to sign in a browser, on pages that show less to others.
enum SignInPage {
  /// Answers the address with a code: with the cookie, or with a page that explains how to get a valid code.
  ///
  /// - Returns: The answer; nil for any other request.
  static func answer(_ request: WebRequest, _ site: Site) -> WebResponse? {
    guard request.path.isEmpty, request.head.method == "GET", let code = request[OwnerProof.parameter] else {
      return nil
    }
    let cookie = site.gate.cookie(for: code, with: request.head)
    guard cookie != nil || site.gate.isOwn(request.head) else {
      return refusal(
        request, site.shown(to: request), title: "That code is not good",
        reason: "a code is good once, for ten minutes, and the watchlist and portfolio are shown to their owner only")
    }
    return WebResponse(
      status: 303,
      headers: [WebHeader("Location", "/"), WebHeader("Cache-Control", "no-store"), cookie].compactMap(\.self))
  }

  /// Returns the refusal of something that is the owner's: a page with the way on, or an error for programs.
  static func refusal(
    _ request: WebRequest, _ site: Site, title: String = "For its owner only", reason: String = Site.foreign.message
  ) -> WebResponse {
    guard request.head.wantsPage else { return .nativeFailure(.usage(reason), status: 403) }
    let main = HTML.element(.section, [.class("failure")]) {
      HTML.element(.h1) { title }
      note(site.signIn ?? .code, reason)
    }
    return WebResponse(Page(title: title, main: main), site, status: 403)
  }

  /// Returns a note with the reason why something is not shown, and what its owner can do.
  static func note(_ way: Gate.SignIn, _ reason: String = Site.foreign.message) -> HTML {
    PageComponents.note("welcome") {
      HTML.element(.p) { reason.prefix(1).uppercased() + reason.dropFirst() + "." }
      switch way {
      case .code:
        HTML.element(.p) {
          "If they are yours, run "
          HTML.element(.kbd) { "bitpal serve link" }
          " on this machine, and open the address that it prints, or type its code:"
        }
        HTML.element(.form, [.class("code"), .link(.action, PagePath())]) {
          HTML.element(
            .input,
            [
              .text(.name, OwnerProof.parameter), .text(.ariaLabel, "Code"), .text(.placeholder, "xxxxx-xxxxx"),
              .text(.autocomplete, "off"), .text(.maxlength, "40"), .flag(.required),
            ])
          HTML.element(.button) { "Sign in" }
        }
      case .token:
        HTML.element(.p) {
          "Through a proxy, or under another name than localhost, that needs a token. The owner starts the server with "
          HTML.element(.kbd) { "--token-file" }
          "."
        }
      }
    }
  }
}
