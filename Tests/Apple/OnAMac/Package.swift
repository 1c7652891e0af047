// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "on-a-mac",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "bluecap", path: "../../..")],
    targets: [
        .executableTarget(
            name: "OnAMac",
            dependencies: [
                .product(name: "BlueCap", package: "bluecap"), .product(name: "BlueCapCapture", package: "bluecap"),
                .product(
                    name: "BlueCapCoreBluetooth", package: "bluecap",
                    condition: .when(platforms: [.macOS])),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")])
    ]
)
