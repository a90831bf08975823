import BitpalProviders
import Testing

@Suite struct `The program of a plugin` {
  @Test func `The words of a command that may be files of the program are found`() {
    let program = PluginProgram(
      command: ["python3", "-u", "moon.py", "/etc/moon.json", "", "--fast", "data/x"], folder: "/home/ada/providers")
    #expect(
      program.candidateFiles == ["/home/ada/providers/moon.py", "/etc/moon.json", "/home/ada/providers/data/x"])
    #expect(PluginProgram(command: ["./moon"], folder: "/p").candidateFiles == ["/p/./moon"])
  }
}
