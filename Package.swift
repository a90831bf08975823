// swift-tools-version: 6.2
import PackageDescription

// Platforms: Linux with glibc (docs/releasing.md). One row per module, bottom to top. An arrow points only down this list;
// Tests/ArchitectureTests fails with a sentence when one does not.
let package = Package(
  name: "bitpal",
  products: [
    .executable(name: "bitpal", targets: ["bitpal"]),
    // The service of prices, and the modules whose values it shows.
    .library(
      name: "Bitpal",
      targets: [
        "Bitpal", "BitpalModel", "BitpalRateLimit", "BitpalNetwork", "BitpalReplay", "BitpalCache", "BitpalProviders",
        "BitpalCharts",
      ]),
    .library(name: "BitpalPortfolio", targets: ["BitpalPortfolio"]),
    .library(name: "BitpalTesting", targets: ["BitpalTesting"]),
    // For the programs in Fuzz alone: they have no public declarations.
    .library(name: "_BitpalServe", targets: ["BitpalServe"]),
  ],
  traits: [
    .default(enabledTraits: ["Fleet", "Plugins", "Server"]),
    .trait(name: "Fleet", description: "Share answers and request budgets with other machines on one Redis"),
    .trait(name: "Plugins", description: "Run programs that read sources which no provider file can describe"),
    .trait(name: "Server", description: "In BitpalTesting: a server of prices for code that asks over HTTP"),
  ],
  targets: [
    // C libraries of the system.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(name: "CShipped"),
    .target(name: "CSQLiteHeap", dependencies: ["CSQLite"]),
    .target(name: "CSQLiteJSON", dependencies: ["CSQLite"]),
    .target(name: "CLoader"),
    .target(name: "CCurl", dependencies: ["CLoader"]),
    .target(name: "CSpawn"),
    .target(name: "CHTTPD", dependencies: ["CLoader"]),
    .target(name: "CExpat", dependencies: ["CLoader"]),
    .target(name: "CZlib", dependencies: ["CLoader"]),

    // The library.
    .target(name: "BitpalModel"),
    .target(name: "BitpalFiles", dependencies: ["CSQLite", "CShipped", "BitpalModel"]),
    .target(
      name: "BitpalJSON",
      dependencies: [
        "CSQLite", "CSQLiteHeap", "CSQLiteJSON", "CExpat", "CYAML", "BitpalFiles", "BitpalModel",
      ]),
    .target(name: "BitpalRateLimit", dependencies: ["BitpalFiles", "BitpalModel"]),
    .target(name: "BitpalNetwork", dependencies: ["CCurl", "CZlib", "BitpalRateLimit", "BitpalModel"]),
    .target(name: "BitpalReplay", dependencies: ["BitpalNetwork", "BitpalJSON", "BitpalFiles", "BitpalModel"]),
    .target(name: "BitpalCache", dependencies: ["BitpalJSON", "BitpalFiles", "BitpalModel"]),
    .target(
      name: "BitpalFleet", dependencies: ["BitpalNetwork", "BitpalCache", "BitpalRateLimit", "BitpalModel"],
      // Into the binary: it has no folder of its own.
      resources: [.embedInCode("Scripts/budget.lua")]),
    .target(
      name: "BitpalProviders",
      dependencies: ["BitpalNetwork", "BitpalReplay", "BitpalJSON", "BitpalFiles", "BitpalModel"]),
    .target(
      name: "BitpalConfig",
      dependencies: ["BitpalProviders", "BitpalReplay", "BitpalJSON", "BitpalFiles", "BitpalModel"]),
    .target(
      name: "BitpalPlugins",
      dependencies: ["CSpawn", "BitpalProviders", "BitpalNetwork", "BitpalJSON", "BitpalFiles", "BitpalModel"],
      resources: [
        .embedInCode("Templates/provider.yaml"), .embedInCode("Templates/plugin.py"),
        .embedInCode("Templates/plugin.sh"), .embedInCode("Templates/plugin.pl"),
      ]),
    .target(
      name: "BitpalConformance", dependencies: ["BitpalProviders", "BitpalNetwork", "BitpalReplay", "BitpalModel"]),
    .target(
      name: "Bitpal",
      dependencies: [
        "BitpalConfig", "BitpalPlugins", "BitpalProviders", "BitpalFleet", "BitpalCache", "BitpalNetwork",
        "BitpalReplay", "BitpalRateLimit", "BitpalModel",
      ]),

    .target(name: "BitpalPortfolio", dependencies: ["BitpalJSON", "BitpalFiles", "BitpalModel"]),
    .target(
      name: "BitpalQueries",
      dependencies: [
        "Bitpal", "BitpalProviders", "BitpalConfig", "BitpalPortfolio", "BitpalModel",
      ]),
    .target(name: "BitpalCharts", dependencies: ["BitpalModel"]),
    .target(
      name: "BitpalOutput",
      dependencies: [
        "BitpalQueries", "Bitpal", "BitpalCache", "BitpalProviders", "BitpalPortfolio",
        "BitpalCharts", "BitpalReplay", "BitpalJSON", "BitpalModel",
      ]),

    .target(
      name: "BitpalServe",
      dependencies: [
        "BitpalOutput", "BitpalCharts", "BitpalQueries", "BitpalPortfolio", "Bitpal", "BitpalProviders",
        "CHTTPD", "BitpalJSON", "BitpalFiles", "BitpalModel",
      ],
      // Into the binary: it has no folder of its own.
      resources: [
        .embedInCode("Pages/Assets/bitpal.css"), .embedInCode("Pages/Assets/bitpal.js"),
        .embedInCode("Pages/Assets/icon.png"),
      ]),

    // What users test with.
    .target(
      name: "BitpalTesting",
      dependencies: [
        "BitpalServe", "BitpalQueries", "Bitpal", "BitpalConformance", "BitpalConfig", "BitpalCache",
        "BitpalProviders",
        "BitpalReplay", "BitpalNetwork", "BitpalModel",
      ]),

    // The tool.
    .executableTarget(
      name: "bitpal",
      dependencies: [
        "BitpalServe", "BitpalOutput", "BitpalQueries", "Bitpal", "BitpalConformance",
        "BitpalConfig", "BitpalFleet", "BitpalCache", "BitpalPlugins", "BitpalProviders",
        "BitpalPortfolio", "BitpalCharts", "BitpalNetwork", "BitpalReplay", "BitpalRateLimit",
        "BitpalJSON", "BitpalFiles", "BitpalModel",
      ]),

    // Fleets of any size on a clock of its own; `make simulation` runs it. Here because it runs what is `package`.
    .executableTarget(
      name: "fleet-simulation", dependencies: ["Bitpal", "BitpalProviders", "BitpalRateLimit", "BitpalModel"],
      path: "Benchmarks/Simulation"),

    // Measures bitpal against something measured in the same run; `make bench` runs it. Here because it measures what is
    // `package`.
    .executableTarget(
      name: "bench",
      dependencies: [
        "BitpalTesting", "Bitpal", "BitpalConfig", "BitpalPortfolio", "BitpalCharts", "BitpalCache",
        "BitpalProviders", "BitpalNetwork", "BitpalRateLimit", "BitpalModel",
      ], path: "Benchmarks/Sources/bench"),

    // Tests mirror Sources; Tests/Support holds what several of them need.
    .target(name: "TestSupport", dependencies: ["CSpawn", "BitpalModel"], path: "Tests/Support/TestSupport"),
    .target(
      name: "ProviderFiles",
      dependencies: ["BitpalConfig", "BitpalJSON", "BitpalProviders", "BitpalModel", "TestSupport"],
      path: "Tests/Support/ProviderFiles"),
    .target(
      name: "TestFleet", dependencies: ["BitpalFleet", "BitpalRateLimit", "BitpalModel"],
      path: "Tests/Support/TestFleet"),
    .target(name: "OtherPackages", path: "Tests/Support/OtherPackages"),
    .target(name: "LoopbackServer", dependencies: ["BitpalModel"], path: "Tests/Support/LoopbackServer"),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(name: "BitpalModelTests", dependencies: ["BitpalModel", "BitpalTesting", "TestSupport"]),
    .testTarget(name: "BitpalFilesTests", dependencies: ["BitpalFiles", "BitpalModel", "TestSupport"]),
    .testTarget(
      name: "BitpalJSONTests", dependencies: ["BitpalJSON", "BitpalModel", "TestSupport"],
      exclude: ["Vectors/python.py"], resources: [.copy("Vectors/python.json")]),
    .testTarget(
      name: "BitpalConfigTests", dependencies: ["BitpalConfig", "BitpalFiles", "BitpalModel", "TestSupport"]),
    .testTarget(
      name: "BitpalRateLimitTests",
      dependencies: [
        "BitpalRateLimit", "BitpalFleet", "BitpalModel", "BitpalTesting", "TestFleet", "TestSupport",
      ]),
    .testTarget(
      name: "BitpalNetworkTests",
      dependencies: [
        "BitpalNetwork", "BitpalRateLimit", "BitpalModel", "BitpalTesting", "LoopbackServer", "TestSupport",
      ]),
    .testTarget(
      name: "BitpalReplayTests",
      dependencies: ["BitpalReplay", "BitpalNetwork", "BitpalJSON", "BitpalModel", "TestSupport"]),
    .testTarget(
      name: "BitpalCacheTests",
      dependencies: [
        "BitpalCache", "BitpalFleet", "BitpalModel", "BitpalTesting", "TestFleet", "TestSupport",
      ]),
    .testTarget(
      name: "BitpalFleetTests",
      dependencies: [
        "BitpalFleet", "BitpalCache", "BitpalRateLimit", "BitpalNetwork", "BitpalModel", "BitpalTesting", "TestFleet",
        "TestSupport",
      ]),
    .testTarget(
      name: "BitpalProvidersTests",
      dependencies: [
        "BitpalProviders", "BitpalConfig", "BitpalReplay", "BitpalNetwork", "BitpalModel", "BitpalTesting",
        "ProviderFiles", "TestSupport",
      ]),
    .testTarget(
      name: "BitpalPluginsTests",
      dependencies: [
        "BitpalPlugins", "BitpalProviders", "BitpalNetwork", "BitpalModel", "BitpalTesting", "TestSupport", "CSpawn",
      ]),
    .testTarget(
      name: "BitpalConformanceTests",
      dependencies: [
        "BitpalConformance", "BitpalProviders", "BitpalConfig", "BitpalReplay", "BitpalNetwork", "BitpalModel",
        "BitpalTesting", "ProviderFiles", "TestSupport",
      ]),
    .testTarget(
      name: "BitpalTests",
      dependencies: [
        "Bitpal", "BitpalConformance", "BitpalProviders", "BitpalCache", "BitpalConfig", "BitpalNetwork",
        "BitpalReplay", "BitpalRateLimit", "BitpalModel", "BitpalTesting", "LoopbackServer", "OtherPackages",
        "TestSupport",
      ]),
    .testTarget(
      name: "BitpalTestingTests",
      dependencies: [
        "BitpalTesting", "BitpalProviders", "BitpalReplay", "BitpalNetwork", "BitpalModel", "LoopbackServer",
        "TestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "BitpalChartsTests", dependencies: ["BitpalCharts", "BitpalModel", "BitpalTesting"], exclude: ["Golden"]),
    // A writer that a test kills; it is a program of its own because a test cannot kill itself.
    .executableTarget(
      name: "transaction-writer", dependencies: ["BitpalPortfolio", "BitpalModel"],
      path: "Tests/BitpalPortfolioTests/TransactionWriter"),
    .testTarget(
      name: "BitpalPortfolioTests",
      dependencies: [
        "BitpalPortfolio", "BitpalConfig", "BitpalFiles", "BitpalJSON", "BitpalModel", "TestSupport",
        "transaction-writer",
      ],
      exclude: ["TransactionWriter"], resources: [.copy("Vectors")]),
    .testTarget(
      name: "BitpalOutputTests",
      dependencies: [
        "BitpalOutput", "BitpalQueries", "Bitpal", "BitpalProviders", "BitpalPortfolio",
        "BitpalJSON", "BitpalModel", "TestSupport",
      ]),
    .testTarget(
      name: "BitpalQueriesTests",
      dependencies: [
        "BitpalQueries", "Bitpal", "BitpalConfig", "BitpalPortfolio", "BitpalModel",
        "BitpalTesting", "TestSupport",
      ]),
    .testTarget(
      name: "BitpalServeTests",
      dependencies: [
        "BitpalServe", "BitpalOutput", "BitpalQueries", "BitpalPortfolio", "Bitpal", "BitpalProviders",
        "BitpalConfig", "BitpalCache", "BitpalNetwork", "BitpalCharts", "BitpalModel", "BitpalTesting", "TestSupport",
      ]),
    .testTarget(
      name: "BitpalCLITests",
      dependencies: [
        "bitpal", "BitpalOutput", "BitpalQueries", "Bitpal", "BitpalPortfolio", "BitpalConfig", "BitpalFleet",
        "BitpalCache", "BitpalCharts",
        "BitpalProviders", "BitpalNetwork", "BitpalJSON", "BitpalModel", "BitpalTesting", "TestSupport",
      ]),
    .testTarget(
      name: "TruthTests",
      dependencies: [
        "bitpal", "BitpalServe", "BitpalQueries", "Bitpal", "BitpalProviders", "BitpalReplay", "BitpalConfig",
        "BitpalNetwork",
        "BitpalModel", "LoopbackServer", "TestSupport",
      ]),
    .testTarget(
      name: "FleetSimulationTests",
      dependencies: ["fleet-simulation", "BitpalRateLimit", "BitpalModel"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "bitpal", "BitpalModel", "BitpalTesting", "LoopbackServer", "TestSupport",
      ],
      exclude: ["Golden"]),
  ],
  swiftLanguageModes: [.v6]
)

// The folders of Sources are layers, bottom to top: a module depends on its own folder and on those above it in this list.
let folders: [(name: String, modules: Set<String>)] = [
  (
    "Base",
    [
      "CShipped", "CSQLite", "CYAML", "CSQLiteHeap", "CSQLiteJSON", "CLoader", "CExpat", "BitpalModel", "BitpalFiles",
      "BitpalJSON",
    ]
  ),
  (
    "Sources",
    [
      "CCurl", "CSpawn", "CZlib", "BitpalRateLimit", "BitpalNetwork", "BitpalReplay", "BitpalCache", "BitpalFleet",
      "BitpalProviders", "BitpalPlugins",
    ]
  ),
  ("Prices", ["BitpalConfig", "BitpalConformance", "Bitpal", "BitpalCharts"]),
  ("Books", ["BitpalPortfolio", "BitpalQueries", "BitpalOutput"]),
  ("Serve", ["CHTTPD", "BitpalServe", "BitpalTesting"]),
  ("Tool", ["bitpal"]),
]

for (folder, modules) in folders {
  for target in package.targets where modules.contains(target.name) {
    target.path = "Sources/\(folder)/\(target.name)"
  }
}

// What a trait leaves out of the libraries; the tool has everything.
let optional = ["BitpalFleet": "Fleet", "BitpalPlugins": "Plugins", "BitpalServe": "Server", "BitpalQueries": "Server"]
for target in package.targets where ["Bitpal", "BitpalTesting"].contains(target.name) {
  target.dependencies = target.dependencies.map { dependency in
    guard case .byNameItem(let name, _) = dependency, let trait = optional[name] else { return dependency }
    return .target(name: name, condition: .when(traits: [trait]))
  }
}

for target in package.targets where ![.system, .plugin, .binary].contains(target.type) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
