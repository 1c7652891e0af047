// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "web-example",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In a copy of this package: .package(url: "…", branch: "main", traits: …) with the address of the repository.
        .package(name: "bluecap", path: "../..", traits: [.defaults, "Metrics", "ServiceLifecycle"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "Web",
            dependencies: [
                .product(name: "BlueCap", package: "bluecap"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")])
    ]
)
