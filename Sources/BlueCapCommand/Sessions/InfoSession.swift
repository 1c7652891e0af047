// SPDX-License-Identifier: MIT

import BlueCap

/// Connects to a device, reads all that can be read, and shows it as a tree.
struct InfoSession: Sendable {
    let finder: DeviceFinder
    var readsValues = true
    var isJSON = false
    let output: any LineOutput

    /// Shows the device; the link goes down with the manager.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` when the device stopped answering, after the known
    ///   attributes were shown.
    func run() async throws {
        let peripheral = try await finder.connect()
        var reading = Reading(timeout: finder.timeout, readsValues: readsValues)
        WaitingLine.shared.begin("reading \(peripheral.label)")
        let report = try await finder.central.run { try await reading.report(on: peripheral) }
        WaitingLine.shared.end()
        if isJSON {
            try output.event(report)
        } else {
            for line in report.lines { try output.line(line) }
        }
        if reading.isSilent {
            throw CommandFailure(
                .tryAgain,
                "\(peripheral.label) did not answer within \(TextLayout.seconds(finder.timeout)), so the rest was not "
                    + "read: try --no-values, or a longer --timeout")
        }
    }
}

/// Reads a device from its first service to its last.
private struct Reading {
    let timeout: Duration
    let readsValues: Bool
    /// Whether a request was not answered: those after it wait behind it, so none is sent any more.
    private(set) var isSilent = false

    init(timeout: Duration, readsValues: Bool) { (self.timeout, self.readsValues) = (timeout, readsValues) }

    mutating func report(on peripheral: Peripheral) async throws(CharacteristicError) -> DeviceReport {
        var services: [ServiceReport] = []
        for service in peripheral.services {
            var characteristics: [AttributeReport] = []
            for characteristic in service.characteristics {
                characteristics.append(try await report(on: characteristic, in: service))
            }
            services.append(
                ServiceReport(service.uuid, id: service.id, isPrimary: service.isPrimary, characteristics))
        }
        return DeviceReport(peripheral, services)
    }

    private mutating func report(
        on characteristic: Characteristic, in service: Service
    ) async throws(CharacteristicError) -> AttributeReport {
        var report = AttributeReport(characteristic, in: service)
        if readsValues, characteristic.canRead {
            let result = try await answer { [timeout] () async throws(CharacteristicError) in
                try await characteristic.read(timeout: timeout)
            }
            report.take(result, of: characteristic.uuid, in: service.uuid)
        }
        let descriptors = try await answer { [timeout] () async throws(CharacteristicError) in
            try await characteristic.discoverDescriptors(timeout: timeout)
        }
        for descriptor in (try? descriptors?.get()) ?? [] {
            var entry = AttributeReport(descriptor)
            // The client configuration shows nothing but whether this program has subscribed.
            if readsValues, descriptor.uuid != Descriptor.clientConfiguration {
                let result = try await answer { [timeout] () async throws(CharacteristicError) in
                    try await descriptor.read(timeout: timeout)
                }
                entry.take(result, of: descriptor.uuid, in: nil)
            }
            report.descriptors?.append(entry)
        }
        return report
    }

    /// The device's answer; nil without a question once it is silent.
    ///
    /// - Throws: The errors after which no other answer comes either, such as the end of the link.
    private mutating func answer<Answer: Sendable>(
        _ question: () async throws(CharacteristicError) -> Answer
    ) async throws(CharacteristicError) -> Result<Answer, CharacteristicError>? {
        if isSilent { return nil }
        do {
            return .success(try await question())
        } catch {
            switch error.reason {
            case .timeout: isSilent = true
            case .att, .unsupported: break
            default: throw error
            }
            return .failure(error)
        }
    }
}
