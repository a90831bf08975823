// swift-tools-version: 6.2
import PackageDescription

// A program of its own that uses bitpal, and tests itself offline with one recording.
let package = Package(
  name: "PriceAlarm",
  dependencies: [.package(name: "bitpal", path: "../..")],
  targets: [
    .target(name: "PriceAlarm", dependencies: [.product(name: "Bitpal", package: "bitpal")]),
    .executableTarget(
      name: "price-alarm", dependencies: ["PriceAlarm", .product(name: "Bitpal", package: "bitpal")]),
    .executableTarget(name: "prices", dependencies: [.product(name: "Bitpal", package: "bitpal")]),
    .testTarget(
      name: "PriceAlarmTests",
      dependencies: ["PriceAlarm", .product(name: "BitpalTesting", package: "bitpal")]),
  ],
  swiftLanguageModes: [.v6]
)
