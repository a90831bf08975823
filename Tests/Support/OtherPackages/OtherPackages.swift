// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Types with the names of other packages that an app imports beside Bitpal; each stands for what its package documents.

// SwiftUI, Swift Charts, StoreKit
public struct App {}
public struct Binding {}
public struct Chart {}
public struct Environment {}
public struct Product {}
public struct Scene {}
public struct Settings {}
public struct State {}
public struct Table {}
public struct Text {}
public struct Transaction {}
public struct View {}

// Vapor, Hummingbird, Fluent
public struct Application {}
public struct Client {}
public struct Content {}
public struct Database {}
public struct Field {}
public struct Model {}
public struct Request {}
public struct Response {}
public struct Route {}
public struct Router {}
public struct Service {}

// swift-http-types, AsyncHTTPClient, the Swift SDK of MCP
public struct HTTPClient {}
public struct HTTPField {}
public struct HTTPRequest {}
public struct HTTPResponse {}
public struct Transport {}

// swift-log, swift-metrics, swift-distributed-tracing
public struct Counter {}
public struct Gauge {}
public struct Logger {}
public struct Span {}
public struct Tracer {}

// swift-argument-parser
public struct Argument {}
public struct ExitCode {}
public struct Flag {}
public struct Option {}
public struct ValidationError {}
