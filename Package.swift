// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import CompilerPluginSupport
import PackageDescription

let linux: [Platform] = [.linux]
let apple: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

/// What is used only with the trait Macros; without it SwiftPM neither resolves nor fetches the package.
func syntax(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

/// The same of the trait Metrics.
func metrics(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-metrics", condition: .when(traits: ["Metrics"]))
}

/// The same of the trait ServiceLifecycle.
func lifecycle(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"]))
}

/// The same of the trait Crypto.
func crypto(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-crypto", condition: .when(traits: ["Crypto"]))
}

/// The same of the trait Configuration.
let configuration = Target.Dependency.product(
    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"]))

let package = Package(
    name: "bluecap",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "BlueCap", targets: ["BlueCap"]),
        .library(name: "BlueCapSerDe", targets: ["BlueCapSerDe"]),
        .library(name: "BlueCapCore", targets: ["BlueCapCore"]),
        .library(name: "BlueCapProfiles", targets: ["BlueCapProfiles"]),
        .library(name: "BlueCapVendorProfiles", targets: ["BlueCapVendorProfiles"]),
        .library(name: "BlueCapLayout", targets: ["BlueCapLayout"]),
        .library(name: "BlueCapVirtual", targets: ["BlueCapVirtual"]),
        .library(name: "BlueCapBlueZ", targets: ["BlueCapBlueZ"]),
        .library(name: "BlueCapCoreBluetooth", targets: ["BlueCapCoreBluetooth"]),
        .library(name: "BlueCapCapture", targets: ["BlueCapCapture"]),
        .library(name: "BlueCapTesting", targets: ["BlueCapTesting"]),
        .executable(name: "bluecap", targets: ["BlueCapCommand"]),
        .executable(name: "bluecap-simulate", targets: ["BlueCapSimulate"]),
    ],
    traits: [
        .trait(name: "BlueZ", description: "The BlueZ backend on Linux, over the system's libdbus-1."),
        .trait(
            name: "Configuration",
            description: "Managers take their settings from swift-configuration, which it fetches."),
        .trait(name: "Crypto", description: "Encrypted frames of BTHome, by swift-crypto, which it fetches."),
        .trait(
            name: "ESPHome",
            description: "The command `bluecap proxy`, a radio for Home Assistant; fetches swift-crypto.",
            enabledTraits: ["Crypto"]),
        .trait(
            name: "Gateway",
            description: "The command `bluecap gateway`, over the system's libmosquitto; fetches swift-metrics.",
            enabledTraits: ["BlueZ", "Metrics"]),
        .trait(name: "Macros", description: "The macro @Layout of BlueCapLayout; fetches swift-syntax."),
        .trait(name: "Metrics", description: "What the managers do, counted through swift-metrics, which it fetches."),
        .trait(
            name: "ServiceLifecycle",
            description: "The managers as services of swift-service-lifecycle, which it fetches."),
        .default(enabledTraits: ["BlueZ"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The platform's C library, by one name.
        .target(name: "BlueCapPlatform"),
        // What knows no Bluetooth: locks, queues, streams, clocks, executors.
        .target(
            name: "BlueCapRuntime",
            dependencies: ["BlueCapPlatform", .target(name: "CBlueCapLinux", condition: .when(platforms: linux))]),
        // Values and bytes.
        .target(name: "BlueCapSerDe"),
        // JSON with the place of each value, and a decoder over it.
        .target(name: "BlueCapJSON"),
        // The managers, their handles and all policy; knows no backend.
        .target(
            name: "BlueCapCore",
            dependencies: [
                "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe", .product(name: "Logging", package: "swift-log"),
                configuration, metrics("CoreMetrics"), lifecycle("ServiceLifecycle"),
            ]),
        // GATT services: those of the Bluetooth SIG, and those of vendors.
        .target(name: "BlueCapProfiles", dependencies: ["BlueCapCore", "BlueCapSerDe"]),
        .target(name: "BlueCapVendorProfiles", dependencies: ["BlueCapCore", "BlueCapProfiles", "BlueCapSerDe"]),
        .target(
            name: "BlueCapBeacon",
            dependencies: [
                "BlueCapCore", "BlueCapJSON", "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe", crypto("Crypto"),
                crypto("CryptoExtras"),
            ]),

        // Layouts that a macro writes; both are empty without the trait Macros.
        .macro(
            name: "BlueCapMacros",
            dependencies: [
                syntax("SwiftSyntax"), syntax("SwiftSyntaxBuilder"), syntax("SwiftSyntaxMacros"),
                syntax("SwiftDiagnostics"), syntax("SwiftCompilerPlugin"),
            ]),
        .target(
            name: "BlueCapLayout",
            dependencies: ["BlueCapSerDe", .target(name: "BlueCapMacros", condition: .when(traits: ["Macros"]))]),

        // Backends.
        .target(
            name: "BlueCapVirtual",
            dependencies: [
                "BlueCapCore", "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .systemLibrary(
            name: "CBlueCapDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"]), .yum(["dbus-devel"])]),
        .target(name: "CBlueCapLinux"),
        // A thread that waits for sockets and timers; knows no Bluetooth.
        .target(
            name: "BlueCapLoop",
            dependencies: [
                "BlueCapPlatform", "BlueCapRuntime",
                .target(name: "CBlueCapLinux", condition: .when(platforms: linux)),
            ]),
        // The kernel's own sockets of Bluetooth; knows no bus.
        .target(
            name: "BlueCapKernel",
            dependencies: [
                "BlueCapLoop", "BlueCapPlatform", "BlueCapSerDe",
                .target(name: "CBlueCapLinux", condition: .when(platforms: linux)),
            ]),
        .target(
            name: "BlueCapDBus",
            dependencies: [
                "BlueCapLoop", "BlueCapPlatform",
                .target(name: "CBlueCapDBus", condition: .when(platforms: linux, traits: ["BlueZ"])),
                .target(name: "CBlueCapLinux", condition: .when(platforms: linux)),
            ]),
        .target(
            name: "BlueCapBlueZ",
            dependencies: [
                "BlueCapCore", "BlueCapDBus", "BlueCapKernel", "BlueCapLoop", "BlueCapPlatform", "BlueCapRuntime",
                "BlueCapSerDe",
            ]),
        .target(name: "BlueCapCoreBluetooth", dependencies: ["BlueCapCore", "BlueCapRuntime", "BlueCapSerDe"]),

        // A virtual radio that several programs share, over a socket.
        .target(
            name: "BlueCapSharedRadio",
            dependencies: [
                "BlueCapCore", "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe", "BlueCapVirtual",
                .target(name: "CBlueCapLinux", condition: .when(platforms: linux)),
            ]),

        // Captures, and devices as data.
        .target(
            name: "BlueCapCapture",
            dependencies: [
                "BlueCapCore", "BlueCapJSON", "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe", "BlueCapVirtual",
            ]),

        // What users import.
        .target(
            name: "BlueCap",
            dependencies: [
                "BlueCapBeacon", "BlueCapCore", "BlueCapJSON", "BlueCapProfiles", "BlueCapRuntime", "BlueCapSerDe",
                "BlueCapVendorProfiles", "BlueCapVirtual", configuration,
                .target(name: "BlueCapBlueZ", condition: .when(platforms: linux)),
                .target(name: "BlueCapSharedRadio", condition: .when(platforms: linux)),
                .target(name: "BlueCapCoreBluetooth", condition: .when(platforms: apple)),
            ]),
        .target(
            name: "BlueCapTesting",
            dependencies: [
                "BlueCapCore", "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe", "BlueCapVirtual",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "BlueCapSimulate",
            dependencies: [
                "BlueCapCore", "BlueCapRuntime", "BlueCapTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Terminals: keys, screens, lines; knows no Bluetooth.
        .target(name: "BlueCapTerminal", dependencies: ["BlueCapPlatform", "BlueCapRuntime"]),
        // A gateway to an MQTT broker; both it and its tests are empty without the trait Gateway.
        .systemLibrary(
            name: "CBlueCapMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"]), .yum(["mosquitto-devel"])]),
        .target(
            name: "BlueCapGateway",
            dependencies: [
                "BlueCapBeacon", "BlueCapCore", "BlueCapJSON", "BlueCapLoop", "BlueCapPlatform", "BlueCapRuntime",
                "BlueCapSerDe", metrics("CoreMetrics"),
                .target(name: "CBlueCapMosquitto", condition: .when(platforms: linux, traits: ["Gateway"])),
            ]),
        // The radio as a proxy of other programs, by the native API of ESPHome. Without the trait ESPHome its handshake,
        // its server and its sockets are left out.
        .target(
            name: "BlueCapESPHome",
            dependencies: [
                "BlueCapCore", "BlueCapDBus", "BlueCapLoop", "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["ESPHome"])),
            ]),
        .executableTarget(
            name: "BlueCapCommand",
            dependencies: [
                "BlueCap", "BlueCapCapture", "BlueCapJSON", "BlueCapLoop", "BlueCapPlatform", "BlueCapRuntime",
                "BlueCapTerminal",
                .target(name: "BlueCapESPHome", condition: .when(traits: ["ESPHome"])),
                .target(name: "BlueCapGateway", condition: .when(traits: ["Gateway"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // Tests.
        .target(name: "BlueCapTestExecutor", dependencies: ["BlueCapRuntime"], path: "Tests/Support/TestExecutor"),
        .target(
            name: "BlueCapPrivateBus",
            dependencies: ["BlueCapDBus", "BlueCapLoop", "BlueCapPlatform", "BlueCapRuntime"],
            path: "Tests/Support/PrivateBus"),
        .target(
            name: "BlueCapFakeKernel",
            dependencies: [
                "BlueCapKernel", "BlueCapLoop", "BlueCapPlatform", "BlueCapRuntime", "BlueCapTestExecutor",
            ],
            path: "Tests/Support/FakeKernel"),
        .target(
            name: "BlueCapFakeBlueZ",
            dependencies: [
                "BlueCapBlueZ", "BlueCapCore", "BlueCapDBus", "BlueCapFakeKernel", "BlueCapKernel", "BlueCapLoop",
                "BlueCapPlatform", "BlueCapPrivateBus", "BlueCapRuntime", "BlueCapSerDe", "BlueCapTesting",
            ],
            path: "Tests/Support/FakeBlueZ"),
        .target(
            name: "BlueCapTraceReplay",
            dependencies: [
                "BlueCapCapture", "BlueCapCore", "BlueCapDBus", "BlueCapLoop", "BlueCapPrivateBus", "BlueCapSerDe",
                "BlueCapTesting",
            ],
            path: "Tests/Support/TraceReplay"),
        .testTarget(
            name: "BlueCapLoopTests",
            dependencies: [
                "BlueCapLoop", "BlueCapPlatform", "BlueCapRuntime", "BlueCapTestExecutor",
                .target(name: "CBlueCapLinux", condition: .when(platforms: linux)),
            ]),
        .testTarget(
            name: "BlueCapKernelTests",
            dependencies: [
                "BlueCapFakeKernel", "BlueCapKernel", "BlueCapLoop", "BlueCapPlatform", "BlueCapSerDe",
                "BlueCapTestExecutor",
            ]),
        .testTarget(
            name: "BlueCapDBusTests",
            dependencies: [
                "BlueCapDBus", "BlueCapLoop", "BlueCapPlatform", "BlueCapPrivateBus", "BlueCapRuntime",
                "BlueCapTestExecutor",
                .target(name: "CBlueCapDBus", condition: .when(platforms: linux, traits: ["BlueZ"])),
            ]),
        .testTarget(name: "BlueCapTerminalTests", dependencies: ["BlueCapTerminal"]),
        .testTarget(
            name: "BlueCapCommandTests",
            dependencies: [
                "BlueCap", "BlueCapCapture", "BlueCapCommand", "BlueCapDBus", "BlueCapFakeBlueZ", "BlueCapJSON",
                "BlueCapPlatform", "BlueCapPrivateBus", "BlueCapRuntime", "BlueCapTerminal", "BlueCapTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "BlueCapBlueZTests",
            dependencies: [
                "BlueCapBlueZ", "BlueCapCore", "BlueCapDBus", "BlueCapFakeKernel", "BlueCapKernel", "BlueCapLoop",
                "BlueCapPlatform", "BlueCapPrivateBus", "BlueCapRuntime", "BlueCapSerDe", "BlueCapTestExecutor",
            ]),
        .testTarget(
            name: "BlueCapCoreBluetoothTests", dependencies: ["BlueCapCore", "BlueCapCoreBluetooth", "BlueCapSerDe"]),
        .testTarget(name: "BlueCapJSONTests", dependencies: ["BlueCapJSON"]),
        .testTarget(name: "BlueCapRuntimeTests", dependencies: ["BlueCapRuntime", "BlueCapTestExecutor"]),
        .testTarget(name: "BlueCapSerDeTests", dependencies: ["BlueCapSerDe"]),
        .testTarget(
            name: "BlueCapProfilesTests",
            dependencies: [
                "BlueCapCore", "BlueCapProfiles", "BlueCapRuntime", "BlueCapSerDe", "BlueCapVendorProfiles",
                "BlueCapVirtual",
            ]),
        .testTarget(
            name: "BlueCapMacrosTests",
            dependencies: [
                "BlueCapLayout", "BlueCapProfiles",
                .target(name: "BlueCapMacros", condition: .when(traits: ["Macros"])),
                syntax("SwiftSyntax"), syntax("SwiftParser"), syntax("SwiftDiagnostics"), syntax("SwiftSyntaxMacros"),
                syntax("SwiftSyntaxMacroExpansion"), syntax("SwiftSyntaxMacrosGenericTestSupport"),
            ]),
        .testTarget(
            name: "BlueCapCoreTests",
            dependencies: [
                "BlueCapCore", "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe", "BlueCapTestExecutor",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Empty without the traits Configuration, Metrics and ServiceLifecycle.
        .testTarget(
            name: "BlueCapServiceTests",
            dependencies: [
                "BlueCap", "BlueCapCore", "BlueCapRuntime", "BlueCapSerDe", "BlueCapVirtual",
                .product(name: "Logging", package: "swift-log"), configuration, metrics("CoreMetrics"),
                lifecycle("ServiceLifecycle"),
                lifecycle("ServiceLifecycleTestKit"),
                lifecycle("UnixSignals"),
            ]),
        .testTarget(
            name: "BlueCapDocumentationTests",
            dependencies: [
                "BlueCap", "BlueCapBeacon", "BlueCapCapture", "BlueCapCore", "BlueCapRuntime", "BlueCapSerDe",
                "BlueCapTesting",
            ]),
        .testTarget(
            name: "BlueCapGatewayTests",
            dependencies: [
                "BlueCap", "BlueCapBeacon", "BlueCapCore", "BlueCapGateway", "BlueCapJSON", "BlueCapPlatform",
                "BlueCapProfiles", "BlueCapRuntime", "BlueCapSerDe", "BlueCapTestExecutor", "BlueCapVendorProfiles",
                "BlueCapVirtual", metrics("CoreMetrics"),
                .target(name: "BlueCapCommand", condition: .when(traits: ["Gateway"])),
            ]),
        .testTarget(
            name: "BlueCapESPHomeTests",
            dependencies: [
                "BlueCapCore", "BlueCapDBus", "BlueCapESPHome", "BlueCapLoop", "BlueCapPlatform", "BlueCapPrivateBus",
                "BlueCapRuntime", "BlueCapSerDe", "BlueCapTestExecutor", "BlueCapVirtual",
                .target(name: "BlueCapCommand", condition: .when(traits: ["ESPHome"])),
            ]),
        .testTarget(
            name: "BlueCapBeaconTests",
            dependencies: [
                "BlueCapBeacon", "BlueCapCore", "BlueCapSerDe", "BlueCapTestExecutor", "BlueCapVirtual",
            ]),
        .testTarget(
            name: "BlueCapCaptureTests",
            dependencies: [
                "BlueCapCapture", "BlueCapCore", "BlueCapJSON", "BlueCapRuntime", "BlueCapSerDe", "BlueCapVirtual",
            ]),
        .testTarget(
            name: "BlueCapVirtualTests",
            dependencies: ["BlueCapCore", "BlueCapRuntime", "BlueCapSerDe", "BlueCapVirtual"]),
        .testTarget(
            name: "BlueCapSharedRadioTests",
            dependencies: [
                "BlueCapCore", "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe", "BlueCapSharedRadio",
                "BlueCapTesting", "BlueCapVirtual",
            ]),
        .testTarget(
            name: "BlueCapTestingTests",
            dependencies: ["BlueCapTesting", "BlueCapCore", "BlueCapSerDe", "BlueCapTestExecutor", "BlueCapVirtual"]),
        .testTarget(
            name: "BlueCapConformanceTests",
            dependencies: [
                "BlueCapBeacon", "BlueCapBlueZ", "BlueCapCore", "BlueCapDBus", "BlueCapFakeBlueZ", "BlueCapLoop",
                "BlueCapPlatform", "BlueCapPrivateBus", "BlueCapProfiles", "BlueCapRuntime", "BlueCapSerDe",
                "BlueCapTestExecutor",
                "BlueCapTesting", "BlueCapTraceReplay", "BlueCapVirtual",
            ]),
        .executableTarget(
            name: "bluecap-testbed",
            dependencies: [
                "BlueCapBeacon", "BlueCapBlueZ", "BlueCapCapture", "BlueCapCore", "BlueCapDBus", "BlueCapFakeBlueZ",
                "BlueCapKernel", "BlueCapLoop", "BlueCapPlatform", "BlueCapPrivateBus", "BlueCapRuntime",
                "BlueCapSerDe",
                "BlueCapTesting",
                "BlueCapTraceReplay", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestBed/Runner"),
    ]
)

// The fuzzer has no `main` of its own and is linked only with libFuzzer: see Tests/Fuzz/run, which sets the variable.
if Context.environment["BLUECAP_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "bluecap-fuzz",
            dependencies: [
                "BlueCapBeacon", "BlueCapBlueZ", "BlueCapCapture", "BlueCapCore", "BlueCapDBus", "BlueCapESPHome",
                "BlueCapPlatform", "BlueCapProfiles", "BlueCapSerDe", "BlueCapVendorProfiles",
            ],
            path: "Tests/Fuzz/Targets"))
}

// A module named CoreBluetooth for Linux, over the virtual radio, and the backend over it: see Tests/README.md. All modules
// of a build share a folder, where `canImport(CoreBluetooth)` looks: it is built into another one than the package.
if Context.environment["BLUECAP_COREBLUETOOTH_STANDIN"] != nil {
    package.targets.first { $0.name == "BlueCapCoreBluetooth" }?.dependencies.append("CoreBluetooth")
    let radio: [Target.Dependency] = ["BlueCapCore", "BlueCapRuntime", "BlueCapSerDe", "BlueCapVirtual"]
    package.targets += [
        .target(name: "CoreBluetooth", dependencies: radio, path: "Tests/Support/CoreBluetoothStandIn"),
        .testTarget(
            name: "CoreBluetoothStandInTests",
            dependencies: radio + ["BlueCapCoreBluetooth", "BlueCapPlatform", "BlueCapTesting", "CoreBluetooth"]),
        // The program of a row of Benchmarks/pipeline.
        .executableTarget(
            name: "bluecap-notified-values",
            dependencies: radio + ["BlueCapCoreBluetooth", "BlueCapPlatform", "CoreBluetooth"],
            path: "Benchmarks/Sources/NotifiedValues"),
    ]
}

// The programs that Tests/Tool/bthome and Tests/Tool/sensor_formats compare with decoders of others, and that of
// Tests/Tool/gateway_trials.
if Context.environment["BLUECAP_BTHOME"] != nil {
    package.targets += [
        .executableTarget(
            name: "bluecap-sensor-formats", dependencies: ["BlueCapBeacon", "BlueCapCore", "BlueCapSerDe"],
            path: "Tests/Tool/SensorFormats"),
        .executableTarget(
            name: "bluecap-bthome", dependencies: ["BlueCapBeacon", "BlueCapCore", "BlueCapSerDe"],
            path: "Tests/Tool/BTHome"),
        .executableTarget(
            name: "bluecap-gateway-trial",
            dependencies: [
                "BlueCapBeacon", "BlueCapCore", "BlueCapGateway", "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe",
                "BlueCapVirtual",
            ],
            path: "Tests/Tool/GatewayTrial"),
    ]
}

// Some targets of tests alone, for a build that needs nothing of the others: see `traits` in .ci/run.
if let names = Context.environment["BLUECAP_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

for target in package.targets where !["CBlueCapDBus", "CBlueCapLinux", "CBlueCapMosquitto"].contains(target.name) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ]
    let readers = ["BlueCapSerDe", "BlueCapSerDeTests", "BlueCapBeacon", "BlueCapProfiles", "BlueCapVendorProfiles"]
    if readers.contains(target.name) {
        target.swiftSettings?.append(.enableExperimentalFeature("Lifetimes"))
    }
}
