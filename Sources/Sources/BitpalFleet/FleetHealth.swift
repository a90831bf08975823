import BitpalModel

/// The result of a check of a fleet's server.
package struct FleetHealth: Hashable, Sendable {
  /// The server's version; nil where the server does not state it.
  package let version: String?

  /// The duration of a `PING` and its reply.
  package let roundTrip: Duration

  /// The server's behaviour when its memory is full: `noeviction`, `allkeys-lru`; nil where the server does not state
  /// it.
  package let evictionPolicy: String?

  /// Whether the server is a replica, which accepts no writes.
  package let isReplica: Bool

  /// The number of answers that the server keeps.
  package let answers: Int

  /// The number of budgets that it keeps.
  package let budgets: Int

  /// The limits of budgets for which machines have different settings, by the name of the budget.
  package var differing: [String: [String]] = [:]

  /// The commands that the user may not run, in lower case.
  package var missingRights: [String] = []
}

extension Fleet {
  /// Asks the server for its state, whatever the circuit breaker says.
  ///
  /// - Throws: ``FleetFault`` when it cannot be asked.
  package func health() throws(FleetFault) -> FleetHealth {
    try examine { connection throws(FleetFault) in
      let start = ContinuousClock.now
      _ = try connection.ask(["PING"])
      let roundTrip = ContinuousClock.now - start
      let facts = try connection.ask([["INFO", "memory"], ["INFO", "replication"]])
      let budgets = try Self.names(keys.all("budget"), connection)
      return FleetHealth(
        version: connection.version, roundTrip: roundTrip,
        evictionPolicy: facts[0].fact("maxmemory_policy"),
        isReplica: facts[1].fact("role") == "slave",
        answers: try Self.names(keys.all("answer"), connection).count,
        budgets: budgets.count, differing: try Self.differing(budgets, connection),
        missingRights: try missingRights(connection))
    }
  }

  /// Returns the budgets for which more than one list of limits was named lately, in the notation of provider files.
  private static func differing(
    _ budgets: Set<String>, _ connection: FleetConnection
  ) throws(FleetFault) -> [String: [String]] {
    var differing: [String: [String]] = [:]
    for name in budgets {
      guard case .array(let fields?)? = try connection.ask([["HKEYS", name]]).first else { continue }
      let lists = fields.compactMap(\.text).filter { $0.hasPrefix("s:") }.map { list in
        list.dropFirst(2).split(separator: ";").compactMap { RateLimit(scriptName: $0)?.description }
          .joined(separator: ", ")
      }
      if lists.count > 1 { differing[FleetKeys.lastPart(of: name)] = lists.sorted() }
    }
    return differing
  }

  /// Returns the commands without permission, by running each command that a fleet needs on a key of its own.
  private func missingRights(_ connection: FleetConnection) throws(FleetFault) -> [String] {
    let key = keys.probe
    let commands = [
      ["SET", key, "1", "PX", "1"], ["GET", key], ["MGET", key], ["UNLINK", key], ["HSET", key, "a", "1"],
      ["HGETALL", key], ["HDEL", key, "b"], ["DEL", key], ["RPUSH", key, "1"], ["LLEN", key], ["LINDEX", key, "0"],
      ["LRANGE", key, "0", "0"], ["LREM", key, "0", "1"],
      ["LSET", key, "0", "1"], ["LPOP", key], ["EVAL", "return 1", "0"],
      ["EVALSHA", SHA1.hexDigest(of: "return 1"), "0"], ["MULTI"], ["EXEC"], ["SCAN", "0", "COUNT", "1"], ["TIME"],
      ["INFO", "server"],
    ]
    return zip(commands, try connection.ask(commands)).compactMap { command, reply in
      if case .error(let fault) = reply, fault.code == "NOPERM" { command[0].lowercased() } else { nil }
    }
  }

  /// Removes the answers that are kept for this fleet; budgets and locks stay.
  ///
  /// - Returns: The number of removed answers.
  /// - Throws: ``FleetFault`` when the server cannot be asked.
  package func removeAnswers() throws(FleetFault) -> Int { try remove(keys.all("answer")) }

  /// Removes the keys that match a pattern of `SCAN`, and returns their number.
  ///
  /// - Throws: ``FleetFault`` when the server cannot be asked.
  func remove(_ pattern: String) throws(FleetFault) -> Int {
    try examine { connection throws(FleetFault) in
      var count = 0
      var names = Array(try Self.names(pattern, connection))
      while !names.isEmpty {
        count += Int(clamping: try connection.ask(["UNLINK"] + names.suffix(500)).integer ?? 0)
        names.removeLast(min(500, names.count))
      }
      return count
    }
  }

  private static func names(_ pattern: String, _ connection: FleetConnection) throws(FleetFault) -> Set<String> {
    var names: Set<String> = []
    var cursor = "0"
    // Enough for a database of ten million keys; a server whose cursor never returns to 0 does not follow the protocol.
    for _ in 0..<10_000 {
      let reply = try connection.ask(["SCAN", cursor, "MATCH", pattern, "COUNT", "1000"]).elements ?? []
      guard reply.count == 2, let next = reply[0].text else { throw .foreign("does not answer as Redis does") }
      names.formUnion(reply[1].elements?.compactMap(\.text) ?? [])
      if next == "0" { return names }
      cursor = next
    }
    throw .foreign("does not come to an end with the names of what it keeps")
  }
}
