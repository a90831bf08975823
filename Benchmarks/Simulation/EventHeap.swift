/// The events to come, ordered by time and then by the order in which they were added: a binary heap.
struct EventHeap {
  /// The next step of a flight.
  struct Event {
    let time: Int64
    let number: Int64
    let flight: Int
  }

  private var events: [Event] = []
  private var count: Int64 = 0

  /// The time of the next event, in microseconds; `Int64.max` when there is none.
  var nextTime: Int64 { events.first?.time ?? .max }

  mutating func add(_ flight: Int, at time: Int64) {
    count += 1
    events.append(Event(time: time, number: count, flight: flight))
    var child = events.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard Self.isBefore(events[child], events[parent]) else { break }
      events.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Event? {
    guard let first = events.first else { return nil }
    let last = events.removeLast()
    guard !events.isEmpty else { return first }
    events[0] = last
    var parent = 0
    while true {
      let (left, right) = (2 * parent + 1, 2 * parent + 2)
      var least = parent
      if left < events.count, Self.isBefore(events[left], events[least]) { least = left }
      if right < events.count, Self.isBefore(events[right], events[least]) { least = right }
      guard least != parent else { return first }
      events.swapAt(parent, least)
      parent = least
    }
  }

  private static func isBefore(_ one: Event, _ other: Event) -> Bool {
    (one.time, one.number) < (other.time, other.number)
  }
}
