// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "bluecap-wall-clock",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "bluecap-benchmarks", path: ".."),
        // Its traits put another malloc and another runtime in between; allocations are counted by `instructions`.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "SerDe",
            dependencies: [
                .product(name: "SerDeRows", package: "bluecap-benchmarks"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/SerDe",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ]
)
