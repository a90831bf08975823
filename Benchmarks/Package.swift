// swift-tools-version: 6.2
import PackageDescription

// Measures bitpal against something measured in the same run; `make bench` runs it.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "bitpal", path: "..")],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        .product(name: "Bitpal", package: "bitpal"), .product(name: "BitpalTesting", package: "bitpal"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
