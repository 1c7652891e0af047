// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "bluecap-benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "bluecap", path: ".."),
        // Its traits put another malloc and another runtime in between; allocations are counted by `instructions`.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        // The same work in C, the loops around it, and the count of heap allocations.
        .target(name: "CBaseline"),
        // One loop for every row of the table.
        .target(
            name: "SerDeRows",
            dependencies: [
                "CBaseline", .product(name: "BlueCapSerDe", package: "bluecap"),
                .product(name: "BlueCapProfiles", package: "bluecap"),
            ]),
        // The program that `instructions` runs under callgrind.
        .executableTarget(
            name: "Instructions",
            dependencies: ["CBaseline", "SerDeRows", .product(name: "BlueCap", package: "bluecap")]),
        // The program that `pipeline` runs against its peer: one work of the library, through its public API.
        .executableTarget(
            name: "Pipeline", dependencies: ["CCallgrind", .product(name: "BlueCap", package: "bluecap")]),
        // The windows in which callgrind counts, for programs that it does not count otherwise.
        .target(name: "CCallgrind"),
        // Times of the SerDe rows. The plugin takes only targets in a folder that is itself in one named Benchmarks.
        .executableTarget(
            name: "SerDe",
            dependencies: ["SerDeRows", .product(name: "Benchmark", package: "benchmark")],
            path: "SerDe",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ]
)

for target in package.targets where !["CBaseline", "CCallgrind"].contains(target.name) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
