// swift-tools-version: 6.2
import PackageDescription

// The readers of what others wrote, for libFuzzer. `Fuzz/run SECONDS` builds and runs them; a package of its own, because
// its programs have no main of theirs and cannot be built like the others.
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "bitpal", path: "..")],
  targets: ["FuzzYAML", "FuzzHAR", "FuzzJSONRows", "FuzzSelect", "FuzzCSV"].map { name in
    .executableTarget(
      name: name, dependencies: [.product(name: "Bitpal", package: "bitpal")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .unsafeFlags(["-parse-as-library"]),
      ])
  },
  swiftLanguageModes: [.v6]
)
