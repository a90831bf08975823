import BitpalCache
import BitpalModel
import BitpalRateLimit

#if Fleet
  import BitpalFleet

  extension Fleet {
    /// Returns the fleet of the settings; without the trait `Fleet` this throws `.configuration`.
    static func make(
      _ settings: FleetSettings, password: Secret?, memory: BudgetFile, trace: Trace,
      warn: @escaping @Sendable (String) -> Void
    ) throws(BitpalError) -> Fleet {
      Fleet(settings: settings, password: password, memory: memory, trace: trace, warn: warn)
    }

    /// Returns the locks of all machines, behind those of this one.
    func locks(beside local: (any FlightLock)?, time: any TimeSource) -> any FlightLock {
      FleetFlightLock(self, local: local, time: time)
    }

    /// Returns the tier of answers that all machines share.
    func tier(lifetime: @escaping @Sendable (AnswerKey) -> Duration) -> any CacheTier {
      FleetCacheTier(self, lifetime: lifetime)
    }

    /// Returns the limiter of a budget that all machines share.
    func limiter(
      provider: String, key: String, limits: [RateLimit], keyVariable: String?, local: BudgetFile,
      time: any TimeSource, trace: Trace
    ) -> any RateLimiter {
      FleetLimiter(
        provider: provider, key: key, limits: limits, keyVariable: keyVariable, fleet: self, local: local, time: time,
        trace: trace)
    }
  }
#else
  /// The machines that share answers and budgets, which a build without the trait `Fleet` leaves out: none is made.
  package enum Fleet: Sendable {
    static func make(
      _ settings: FleetSettings, password: Secret?, memory: BudgetFile, trace: Trace,
      warn: @escaping @Sendable (String) -> Void
    ) throws(BitpalError) -> Fleet {
      throw .configuration([
        ConfigurationIssue(file: "fleet", message: "this program was built without the trait Fleet")
      ])
    }

    func locks(beside local: (any FlightLock)?, time: any TimeSource) -> any FlightLock { switch self {} }

    func tier(lifetime: @escaping @Sendable (AnswerKey) -> Duration) -> any CacheTier { switch self {} }

    func limiter(
      provider: String, key: String, limits: [RateLimit], keyVariable: String?, local: BudgetFile,
      time: any TimeSource, trace: Trace
    ) -> any RateLimiter { switch self {} }
  }
#endif
