// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// The readers of what others wrote, for libFuzzer. `Fuzz/run SECONDS` builds and runs them; a package of its own, because
// its programs have no main of theirs and cannot be built like the others.
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "bitpal", path: "..")],
  targets: [
    "FuzzYAML", "FuzzHAR", "FuzzJSONRows", "FuzzSelect", "FuzzCSV", "FuzzBodyCSV", "FuzzBodyXML", "FuzzRESP",
    "FuzzJournal",
    "FuzzImport", "FuzzPlugin", "FuzzHTTPHead", "FuzzRedaction", "FuzzJSON",
  ]
  .map { name in
    .executableTarget(
      name: name,
      dependencies: [
        "FuzzDriver", .product(name: "Bitpal", package: "bitpal"), .product(name: "_BitpalServe", package: "bitpal"),
      ],
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
  } + [.target(name: "FuzzDriver", swiftSettings: settings)],
  swiftLanguageModes: [.v6]
)
