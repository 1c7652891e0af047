// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "app-tests-example",
    platforms: [.macOS(.v15)],
    // In a copy of this package: .package(url: "…", branch: "main") with the address of the repository.
    dependencies: [.package(name: "bluecap", path: "../..")],
    targets: [
        .target(name: "FreezerWatch", dependencies: [.product(name: "BlueCap", package: "bluecap")]),
        .executableTarget(
            name: "Freezer", dependencies: ["FreezerWatch", .product(name: "BlueCap", package: "bluecap")]),
        .testTarget(
            name: "FreezerWatchTests",
            dependencies: [
                "FreezerWatch", .product(name: "BlueCap", package: "bluecap"),
                .product(name: "BlueCapTesting", package: "bluecap"),
            ]),
    ]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
