extension CommandTable {
  static let doctor = CommandSpec(
    .doctor, "what is installed, in force, writable, reachable and sound",
    details: [
      "Looks at the libraries, the files, the providers, the network, the clock and the terminal, changes nothing, and "
        + "shows the command that mends what is wrong. Each source in use is asked once; not with --offline. Keys are "
        + "shown only as set or not set.",
      "Exit status 0 when prices can be had, whatever could be better.",
    ],
    examples: [
      .init("doctor", "everything, with what mends it"),
      .init("doctor --offline --format json", "for a program, without the network"),
    ])
}
