// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "swiftui-example",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "HeartRates", targets: ["HeartRates"])],
    // In a copy of this package: .package(url: "…", branch: "main") with the address of the repository.
    dependencies: [.package(name: "bluecap", path: "../..")],
    targets: [
        .target(name: "HeartRates", dependencies: [.product(name: "BlueCap", package: "bluecap")]),
        .testTarget(
            name: "HeartRatesTests",
            dependencies: ["HeartRates", .product(name: "BlueCap", package: "bluecap")]),
    ]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
