import Testing

@testable import bitpal

@Suite struct `A command in one file` {
  @Test func `has a name, operands and a purpose`() {
    #expect(GreetCommand.spec.name == "greet" && GreetCommand.spec.summary == "greet a coin")
  }
}
