import Testing

@testable import BitpalServe

@Suite struct `A route` {
  @Test func `gives the segment in place of its braces`() {
    let route = Route(undescribed: "/hello/{name}") { _, name in
      WebResponse("Hello, \(name)\n", as: .text)
    }
    #expect(route.match(["hello", "ada"]) == "ada")
    #expect(route.match(["hello"]) == nil && route.match(["hello", "ada", "x"]) == nil)
    #expect(route.match(["goodbye", "ada"]) == nil)
  }
}
