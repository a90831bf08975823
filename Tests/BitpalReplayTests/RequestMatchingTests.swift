import BitpalModel
import BitpalReplay
import Testing

@Suite struct `Matching requests` {
  @Test(
    arguments: [
      ("https://a.io/x?a=1&b=2", "https://a.io/x?b=2&a=1"),
      ("HTTPS://A.io/x", "https://a.io/x"),
      ("https://a.io:443/x", "https://a.io/x"),
      ("http://a.io:80/x", "http://a.io/x"),
      ("https://a.io", "https://a.io/"),
      ("https://a.io/x?", "https://a.io/x"),
      ("https://a.io/x#part", "https://a.io/x"),
      ("https://a.io/%7Eme?q=%2c", "https://a.io/~me?q=,"),
      ("https://a.io/x?q=%2f", "https://a.io/x?q=%2F"),
      ("https://a.io/x?a=1&b=2&a=3", "https://a.io/x?a=1&a=3&b=2"),
      ("https://user:word@a.io/x", "https://a.io/x"),
    ])
  func `A difference without a meaning for a server is ignored`(asked: String, recorded: String) {
    #expect(differences(asked, recorded) == [])
  }

  @Test(
    arguments: [
      ("https://a.io/x?a=1&a=2", "https://a.io/x?a=2&a=1", ["the query has a=1&a=2, not a=2&a=1"]),
      ("https://a.io/x?a=1", "https://a.io/x?a=1&a=1", ["the query has a=1, not a=1&a=1"]),
      ("https://a.io/x?a", "https://a.io/x?a=", ["the query has a, not a="]),
      ("https://a.io/x?A=1", "https://a.io/x?a=1", ["the query also has A=1", "the query lacks a=1"]),
      ("https://a.io/x?a=B", "https://a.io/x?a=b", ["the query has a=B, not a=b"]),
      ("https://a.io/X", "https://a.io/x", ["the path is /X, not /x"]),
      ("https://a.io/x/", "https://a.io/x", ["the path is /x/, not /x"]),
      ("http://a.io/x", "https://a.io/x", ["the scheme is http, not https"]),
      ("https://a.io:444/x", "https://b.io/x", ["the host is a.io:444, not b.io"]),
      ("https://a.io/x?q=%26", "https://a.io/x?q=&", ["the query has q=&, not q="]),
    ] as [(String, String, [String])])
  func `A difference is named`(asked: String, recorded: String, expected: [String]) {
    #expect(differences(asked, recorded) == expected)
  }

  @Test(
    arguments: [
      (#"{"a":1,"b":[1,2]}"#, #"{ "b": [1, 2], "a": 1 }"#, "application/json", true),
      (#"{"a":1}"#, #"{"a":1.0}"#, "application/json", false),
      (#"[1,2]"#, #"[2,1]"#, "application/json; charset=utf-8", false),
      (#"{"a":" x"}"#, #"{"a":"x"}"#, "application/json", false),
      (#"{"a":"\"}"}"#, #"{"a" : "\"}"}"#, "application/json", true),
      ("{broken", "{ broken", "application/json", false),
      ("a=1&b=2", "b=2&a=1", "application/x-www-form-urlencoded", true),
      ("a=1&b=2", "b=2&a=1", "text/plain", false),
      ("same", "same", "text/plain", true),
    ])
  func `Bodies are compared by their content type`(left: String, right: String, type: String, isSame: Bool) {
    let shapes = [left, right].map { body in
      RequestShape(method: "POST", url: "https://a.io/", contentType: type, body: Array(body.utf8))
    }
    #expect(shapes[0].differences(from: shapes[1]).map(\.description) == (isSame ? [] : ["the body is another"]))
  }

  @Test func `The method counts`() {
    let shapes = ["GET", "POST"].map { RequestShape(method: $0, url: "https://a.io/") }
    #expect(shapes[0].differences(from: shapes[1]).map(\.description) == ["the method is GET, not POST"])
  }

  @Test func `A body of a hundred thousand brackets is compared without harm`() {
    let deep = String(repeating: "[", count: 100_000)
    let shapes = [deep, deep + " "].map {
      RequestShape(method: "POST", url: "https://a.io/", contentType: "application/json", body: Array($0.utf8))
    }
    #expect(shapes[0].differences(from: shapes[1]).map(\.description) == ["the body is another"])
  }

  private func differences(_ asked: String, _ recorded: String) -> [String] {
    RequestShape(method: "GET", url: asked).differences(from: RequestShape(method: "GET", url: recorded)).map(
      \.description)
  }
}
