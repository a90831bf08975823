/// A page for a sender who may see nothing of this server yet: it is whole in itself, and loads nothing.
enum BarePage {
  /// Returns a response with a heading and some paragraphs.
  static func response(
    _ title: String, status: Int, headers: [WebHeader] = [], @HTMLBuilder _ content: () -> HTML
  ) -> WebResponse {
    let page = HTML.element(.html, [.text(.lang, "en")]) {
      HTML.element(.head) {
        HTML.element(.meta, [.text(.charset, "utf-8")])
        HTML.element(.meta, [.text(.name, "viewport"), .text(.content, "width=device-width, initial-scale=1")])
        HTML.element(.meta, [.text(.name, "color-scheme"), .text(.content, "light dark")])
        HTML.element(.title) { title + " · bitpal" }
        HTML.style
      }
      HTML.element(.body) {
        HTML.element(.h1) { title }
        content()
      }
    }
    return WebResponse(
      HTML.document(page), as: .html, status: status,
      headers: [
        WebHeader("Cache-Control", "no-store"),
        WebHeader(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        WebHeader("Referrer-Policy", "no-referrer"), WebHeader("X-Content-Type-Options", "nosniff"),
      ] + headers)
  }
}
