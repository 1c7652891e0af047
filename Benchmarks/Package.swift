// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "bluecap-benchmarks",
    platforms: [.macOS(.v26)],
    products: [.library(name: "SerDeRows", targets: ["SerDeRows"])],
    dependencies: [.package(name: "bluecap", path: "..", traits: [])],
    targets: [
        // The same work in C, the loops around it, and the count of heap allocations.
        .target(name: "CBaseline"),
        // One loop for every row of the table; `WallClock`, a package of its own, times them.
        .target(
            name: "SerDeRows",
            dependencies: [
                "CBaseline", .product(name: "BlueCapSerDe", package: "bluecap"),
                .product(name: "BlueCapProfiles", package: "bluecap"),
            ]),
        // What `instructions` runs under callgrind.
        .executableTarget(name: "Instructions", dependencies: ["CBaseline", "SerDeRows"]),
    ]
)

for target in package.targets where target.name != "CBaseline" {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
