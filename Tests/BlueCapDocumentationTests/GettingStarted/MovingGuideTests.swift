// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The tables of the guide for users of BlueCapKit.
@Suite("The moving guide", .timeLimit(.minutes(60)))
struct MovingGuideTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The names that BlueCapKit 0.7 offered to an app in the roles of a central, a peripheral and a beacon, and names
    /// of earlier releases that users still ask for.
    private static let oldNames = """
        CentralManager PeripheralManager options whenStateChanges state poweredOn whenStateRestored reset invalidate
        startScanning stopScanning isScanning discoveredPeripherals peripherals services retrievePeripherals
        retrieveConnectedPeripherals disconnectAllPeripherals removeAllPeripherals removePeripheral connect reconnect
        disconnect terminate name identifier discoveredAt advertisements RSSI connectedAt disconnectedAt timeoutCount
        disconnectionCount connectionCount secondsConnected totalSecondsConnected cumlativeSecondsConnected
        cumlativeSecondsDisconnected readRSSI startPollingRSSI stopPollingRSSI discoverAllServices discoverServices
        discoverAllCharacteristics discoverCharacteristics characteristics read dataValue write value startNotifying
        receiveNotificationUpdates stopNotificationUpdates stopNotifying properties propertyEnabled canNotify canRead
        canWrite isNotifying stringValue stringValues data pendingReadCount pendingWriteCount startAdvertising
        stopAdvertising isAdvertising add remove removeAllServices service updateValue respondToRequest MutableService
        characteristicsFromProfiles withProfiles MutableCharacteristic permissionEnabled subscribers isUpdating
        pendingUpdates startRespondingToWriteRequests stopRespondingToWriteRequests update sharedInstance addService
        addCharacteristic characteristicProfile ConfiguredServiceProfile RawCharacteristicProfile
        RawArrayCharacteristicProfile RawPairCharacteristicProfile RawArrayPairCharacteristicProfile
        StringCharacteristicProfile afterDiscovered serialize deserialize BeaconManager startMonitoring
        startRangingBeacons stopMonitoring stopMonitoringAllRegions stopRangingBeacons stopRangingAllBeacons isRanging
        isRangingRegion isMonitoring isMonitoringRegion beaconRegions regions beaconRegion region requestState
        BeaconRegion beacons notifyOnEntry notifyOnExit notifyEntryStateOnDisplay peripheralDataWithMeasuredPower
        isRangingAvailable isPoweredOff invalidPeripheral restoreFailed unconfigured LocationError FutureLocation
        LocationManager RegionManager CircularRegion authorize onSuccess onFailure onComplete map flatMap andThen
        recover recoverWith withFilter forcomp Promise FutureStream cancel
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// The words of the right column that are no calls.
    private static let otherWords: Set<String> = ["where", "guard", "catch", "async let", "try await", "AsyncStream"]

    /// The two columns of all rows of the tables.
    private static func rows() throws -> [(old: String, new: String)] {
        let path = "Sources/BlueCap/Documentation.docc/MovingFromBlueCapKit.md"
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return text.components(separatedBy: "\n").compactMap { line in
            let cells = line.components(separatedBy: " | ")
            guard cells.count == 2, line.hasPrefix("| "), line.hasSuffix(" |"), cells[0] != "| BlueCapKit" else {
                return nil
            }
            return (String(cells[0].dropFirst(2)), String(cells[1].dropLast(2)))
        }
    }

    private static func code(in cell: String) -> [String] {
        cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    /// The lines of a file of this package, without comments.
    private static func lines(of path: String) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return text.components(separatedBy: "\n").map { $0.components(separatedBy: "//")[0] }
    }

    /// The pattern of a call: its name, after its type where one is given, and the labels of its arguments.
    private static func pattern(of call: String) throws -> Regex<AnyRegexOutput> {
        let form =
            #/(?:.* = )?\.?(?:(?:\w+\.)*(?:(?<type>[A-Z]\w*)|\w+)\.)?(?<name>\w+)(?<generic><\w+>)?(?:\((?<labels>.*)\))?/#
        let match = try #require(call.wholeMatch(of: form), "\(call) is no call")
        var text = match.name.first?.isUppercase == true ? "\\b" : "\\."
        if let type = match.type { text = "\\b\(type)\\." }
        text += match.name
        text += match.generic.map { NSRegularExpression.escapedPattern(for: String($0)) } ?? "\\b"
        // With simple boundaries, as a point between letters is none of Unicode's.
        guard let labels = match.labels else { return try Regex(text).wordBoundaryKind(.simple) }
        if labels.isEmpty || labels.contains(":") {
            for label in labels.split(separator: ":") where label != "_" { text += ".*\\b\(label):" }
        } else {
            text += "\\(" + NSRegularExpression.escapedPattern(for: String(labels)) + "\\)"
        }
        return try Regex(text).wordBoundaryKind(.simple)
    }

    @Test func `has all names of BlueCapKit at the left`() throws {
        let cells = try Self.rows().map(\.old)
        #expect(cells.count > 80)
        let words = Set(cells.flatMap { Self.code(in: $0) }.flatMap { $0.split { !$0.isLetter } })
        #expect(Self.oldNames.filter { !words.contains(Substring($0)) }.isEmpty)
    }

    @Test func `names at the right only calls that a test makes`() throws {
        let calls = "Tests/BlueCapDocumentationTests/GettingStarted/MovingCallsTests.swift"
        let statements = try Self.statements(of: Self.lines(of: calls))
        for row in try Self.rows() {
            for call in Self.code(in: row.new) where !call.hasSuffix(":") && !Self.otherWords.contains(call) {
                let pattern = try Self.pattern(of: call)
                #expect(statements.contains { $0.firstMatch(of: pattern) != nil }, "no test makes the call \(call)")
            }
        }
    }

    /// The statements of a file, each on one line: a line that is further indented than the one before belongs to it.
    private static func statements(of lines: [String]) -> [String] {
        lines.reduce(into: []) { statements, line in
            let opens = statements.last.map { $0.hasSuffix("(") || $0.hasSuffix(",") } ?? false
            if opens { statements[statements.count - 1] += " " + line } else { statements.append(line) }
        }
    }

    @Test func `marks with a star what the compiler names, and nothing else`() throws {
        let folder = Self.root.appendingPathComponent("Sources/BlueCapCore")
        let renamed = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("+CoreBluetooth.swift") }
            .flatMap { path -> [Substring] in
                let lines = try Self.lines(of: "Sources/BlueCapCore/\(path)")
                return zip(lines, lines.dropFirst()).compactMap { attribute, function in
                    let isOldName = attribute.contains(
                        #/@available\(\*, unavailable, (renamed|message: "(leave|call) )/#)
                    guard isOldName else { return nil }
                    return function.firstMatch(of: #/func (\w+)\(/#)?.1
                }
            }
        let starred = try Self.rows().flatMap { row in
            row.old.matches(of: #/`(?:\w+\.)?(\w+)\([^`]*\)` \*/#).map { String($0.1) }
        }
        #expect(Set(starred) == Set(renamed.map(String.init)))
    }

    @Test func `a pattern finds a call with its labels and no other`() throws {
        let line = "        let a = try await central.scan(for: [], options: ScanOptions(), timeout: second)"
        #expect(try line.firstMatch(of: Self.pattern(of: "central.scan(for:options:timeout:)")) != nil)
        #expect(try line.firstMatch(of: Self.pattern(of: "ScanOptions")) != nil)
        #expect(try line.firstMatch(of: Self.pattern(of: "central.scan(for:capacity:)")) == nil)
        #expect(try line.firstMatch(of: Self.pattern(of: "central.sca")) == nil)
        #expect(try line.firstMatch(of: Self.pattern(of: "CentralManager.scan(for:)")) == nil)
        #expect(try line.firstMatch(of: Self.pattern(of: "theCentral.scan(for:)")) != nil)
        #expect(try "(central.peripherals.first)".firstMatch(of: Self.pattern(of: "central.peripherals")) != nil)
    }
}
