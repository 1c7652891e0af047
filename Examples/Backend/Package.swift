// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "backend-example",
    platforms: [.macOS(.v15)],
    products: [.library(name: "WireRadio", targets: ["WireRadio"])],
    // In a copy of this package: .package(url: "…", branch: "main") with the address of the repository.
    dependencies: [.package(name: "bluecap", path: "../..")],
    targets: [
        .target(name: "WireRadio", dependencies: [.product(name: "BlueCapCore", package: "bluecap")]),
        .testTarget(
            name: "WireRadioTests",
            dependencies: [
                "WireRadio", .product(name: "BlueCapCore", package: "bluecap"),
                .product(name: "BlueCapTesting", package: "bluecap"),
            ]),
    ]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
