import Bitpal
import OtherPackages
import Testing

// The one line that an app writes: see the article PricesInYourApp.
import struct OtherPackages.ValidationError

/// Other packages' types, named as in an app; a name that `import Bitpal` brings along would be ambiguous here, and this
/// file would not compile.
private typealias NamesOfOthers = (
  App, Binding, Chart, Environment, Product, Scene, Settings, State, Table, Text, Transaction, View,
  Application, Client, Content, Database, Field, Model, Request, Response, Route, Router, Service, HTTPClient,
  HTTPField, HTTPRequest,
  HTTPResponse, Transport, Counter, Gauge, Logger, Span, Tracer, Argument, ExitCode, Flag, Option, ValidationError
)

@Suite struct `Names beside those of other packages` {
  @Test func `An app that imports Bitpal names the types of its other packages as before`() {
    let names = String(reflecting: NamesOfOthers.self).dropFirst().dropLast().split(separator: ", ")
    #expect(names.count == 38 && names.allSatisfy { $0.hasPrefix("OtherPackages.") })
  }
}
