import BitpalModel
import CHTTPD
import Glibc

/// The functions that libmicrohttpd calls on its thread.
enum DaemonCallbacks {
  private static func state(_ context: UnsafeMutableRawPointer?) -> DaemonState? {
    context.map { Unmanaged<DaemonState>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Called when the line of a request has arrived.
  static let begin: bitpal_httpd_target = { context, target, connection in
    guard let target, let connection else { return nil }
    let exchange = ServedRequest(target: String(cString: target), connection: connection)
    bitpal_httpd_prepare(connection, target)
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  /// Called when the headers have arrived, again when the whole request has, and once more when its answer is ready.
  static let answer: MHD_AccessHandlerCallback = { context, connection, _, method, version, _, size, own in
    guard let state = state(context), let connection, let own = own?.pointee, let method, let version else {
      return .NO
    }
    let exchange = Unmanaged<ServedRequest>.fromOpaque(own).takeUnretainedValue()
    if let answer = exchange.answer {
      return queue(answer, on: connection, state, isHead: exchange.head?.method == "HEAD")
    }
    if let known = exchange.known { return queue(known, on: connection, state) }
    guard let head = exchange.head else {
      let size = bitpal_httpd_head_size(connection)
      let sent = headers(of: connection)
      let head = WebHead(
        method: String(cString: method), version: String(cString: version), target: exchange.target,
        headers: sent.headers, size: size > 0 ? size + sent.added : nil)
      exchange.head = head
      state.note(connection, .answering)
      guard let known = state.atOnce(head) else { return .YES }
      // An answer that is given here ends the connection, as a refusal should: bytes after it are not another request.
      guard known.status < 400 else { return queue(known, on: connection, state) }
      exchange.known = known
      return .YES
    }
    // The gate has refused a request with a body, so it needs no further answer.
    guard size?.pointee == 0, !exchange.isSuspended else { return .NO }
    guard state.begin(exchange) else { return queue(DaemonState.stopping, on: connection, state) }
    exchange.isSuspended = true
    bitpal_httpd_suspend(connection)
    Task(executorPreference: BlockingPool.shared) { exchange.finish(await state.answer(head)) }
    return .YES
  }

  /// Called at the end of a request, answered or not.
  static let end: MHD_RequestCompletedCallback = { context, connection, own, _ in
    guard let state = state(context), let connection, let pointer = own?.pointee else { return }
    own?.pointee = nil
    let exchange = Unmanaged<ServedRequest>.fromOpaque(pointer).takeRetainedValue()
    state.end(exchange)
    if let stream = exchange.answer?.stream { state.end(stream) }
    state.note(connection, .asking)
  }

  /// Called when a connection begins, and before it is closed.
  static let connection: MHD_NotifyConnectionCallback = { context, connection, _, what in
    guard let state = state(context), let connection else { return }
    if what == .CONNECTION_NOTIFY_STARTED {
      state.note(connection, .asking)
    } else {
      let socket = bitpal_httpd_socket(connection)
      state.connections.withLock { _ = $0.removeValue(forKey: socket) }
    }
  }

  /// The headers of a request, and the number of bytes added by repairing values that are not UTF-8.
  private final class SentHeaders {
    var headers: [WebHeader] = []
    var added = 0

    func append(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?) {
      let header = WebHeader(String(cString: name), value.map { String(cString: $0) } ?? "")
      added += header.value.utf8.count - (value.map { strlen($0) } ?? 0)
      headers.append(header)
    }
  }

  private static func headers(of connection: OpaquePointer) -> SentHeaders {
    let list = SentHeaders()
    bitpal_httpd_headers(
      connection,
      { context, _, name, value in
        guard let context, let name else { return .YES }
        Unmanaged<SentHeaders>.fromOpaque(context).takeUnretainedValue().append(name, value)
        return .YES
      }, Unmanaged.passUnretained(list).toOpaque())
    return list
  }

  private static func queue(
    _ answer: WebResponse, on connection: OpaquePointer, _ state: DaemonState, isHead: Bool = false
  ) -> MHD_Result {
    guard let response = response(answer, on: connection, state, isHead) else { return .NO }
    defer { bitpal_httpd_response_free(response) }
    for header in answer.headers { _ = bitpal_httpd_response_header(response, header.name, header.value) }
    // The end of a stream is that of its connection, also where it ends with its head.
    if state.isEnding || answer.stream != nil && isHead {
      _ = bitpal_httpd_response_header(response, "Connection", "close")
    }
    return bitpal_httpd_queue(connection, UInt32(answer.status), response)
  }

  private static func response(
    _ answer: WebResponse, on connection: OpaquePointer, _ state: DaemonState, _ isHead: Bool
  ) -> OpaquePointer? {
    guard let stream = answer.stream else { return bitpal_httpd_response(answer.body, answer.body.count) }
    state.note(connection, .streaming)
    state.begin(stream)
    let reader = Unmanaged.passRetained(StreamReader(stream, connection)).toOpaque()
    return bitpal_httpd_stream(read, reader, free, isHead ? 1 : 0)
  }

  /// Called when the library has room for more bytes of a stream.
  private static let read: MHD_ContentReaderCallback = { context, _, buffer, size in
    guard let context else { return -1 }
    let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
    return reader.stream.read(
      into: UnsafeMutableRawBufferPointer(start: buffer, count: size), for: reader.connection)
  }

  /// Called when the library has finished with a stream.
  private static let free: MHD_ContentReaderFreeCallback = { context in
    if let context { Unmanaged<StreamReader>.fromOpaque(context).release() }
  }
}
