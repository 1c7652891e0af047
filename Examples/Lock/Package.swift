// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "lock-example",
    platforms: [.macOS(.v15)],
    // In a copy of this package: .package(url: "…", branch: "main") with the address of the repository.
    dependencies: [.package(name: "bluecap", path: "../..")],
    targets: [
        .executableTarget(
            name: "Lock", dependencies: [.product(name: "BlueCap", package: "bluecap")],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")])
    ]
)
