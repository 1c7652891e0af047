// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Error responses of the peer. Codes that make a stack raise the link's security (0x05, 0x0C, 0x0F) are left out.
    static let attErrors: [Behaviour] =
        readCodes.map(readError) + writeCodes.map(writeError) + subscribeCodes.map(subscribeError)
        + descriptorReadCodes.map(descriptorReadError) + descriptorWriteCodes.map(descriptorWriteError)

    private static let commonCodes: [ATTError] = [
        .invalidHandle, .requestNotSupported, .invalidOffset, .insufficientAuthorization, .invalidAttributeValueLength,
        .unlikelyError, .insufficientResources, .valueNotAllowed, code(0x80), code(0x9F), code(0xC0), code(0xE0),
        .writeRequestRejected, .clientConfigurationImproper, .procedureAlreadyInProgress, .outOfRange,
    ]
    private static let readCodes = [.readNotPermitted] + commonCodes
    private static let writeCodes = [.writeNotPermitted] + commonCodes
    private static let subscribeCodes: [ATTError] = [
        .insufficientAuthorization, code(0x80), .clientConfigurationImproper,
    ]
    private static let descriptorCodes: [ATTError] = [
        .invalidHandle, .requestNotSupported, .insufficientAuthorization, .invalidAttributeValueLength, code(0x80),
        code(0xC0), code(0xE0), .clientConfigurationImproper,
    ]
    private static let descriptorReadCodes = [.readNotPermitted] + descriptorCodes
    private static let descriptorWriteCodes = [.writeNotPermitted] + descriptorCodes

    private static func code(_ rawValue: UInt8) -> ATTError { ATTError(rawValue: rawValue) }

    private static func readError(_ error: ATTError) -> Behaviour {
        Behaviour("a read that the peer refuses throws its error: \(error)") { world in
            let scene = try await Scene.discovered(.read, value: [1], in: world)
            let characteristic = try scene.characteristic()
            try await scene.peer.setError(error, of: PeerAttribute(), on: .read)
            try await expectThrows(for: world.reason(error, .readError(error)), "reading") {
                try await characteristic.read()
            }
            try await scene.peer.setError(nil, of: PeerAttribute(), on: .read)
            try expectEqual(try await characteristic.read(), [1], "the value once it is not refused")
        }
    }

    private static func writeError(_ error: ATTError) -> Behaviour {
        Behaviour("a write that the peer refuses throws its error: \(error)") { world in
            let scene = try await Scene.discovered(.write, in: world)
            let characteristic = try scene.characteristic()
            try await scene.peer.setError(error, of: PeerAttribute(), on: .write)
            try await expectThrows(for: world.reason(error, .writeError(error)), "writing") {
                try await characteristic.write([1])
            }
            try await scene.peer.setError(nil, of: PeerAttribute(), on: .write)
            try await characteristic.write([2])
            try expectEqual(try await scene.peer.value(of: PeerAttribute()), [2], "the value once it is not refused")
        }
    }

    private static func subscribeError(_ error: ATTError) -> Behaviour {
        Behaviour("a subscription that the peer refuses throws its error: \(error)") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            let characteristic = try scene.characteristic()
            try await scene.peer.setError(error, of: PeerAttribute(), on: .subscribe)
            try await expectThrows(for: world.reason(error, .subscribeError(error)), "subscribing") {
                try await characteristic.notifications()
            }
            try expect(!characteristic.isNotifying, "it counts as notifying after it was refused")
            try await scene.peer.setError(nil, of: PeerAttribute(), on: .subscribe)
            var values = try await characteristic.notifications().makeAsyncIterator()
            try await scene.peer.notify(PeerAttribute(), [[1]])
            try expectEqual(try await values.next(), [1], "the first value once it is not refused")
        }
    }

    private static func descriptorReadError(_ error: ATTError) -> Behaviour {
        Behaviour("a descriptor's read that the peer refuses throws its error: \(error)") { world in
            let (scene, descriptor) = try await describedScene(in: world)
            try await scene.peer.setError(error, of: PeerAttribute(descriptor: 0), on: .read)
            try await expectThrows(for: world.reason(error, .readError(error)), "reading") {
                try await descriptor.read()
            }
        }
    }

    private static func descriptorWriteError(_ error: ATTError) -> Behaviour {
        Behaviour("a descriptor's write that the peer refuses throws its error: \(error)") { world in
            let (scene, descriptor) = try await describedScene(in: world)
            try await scene.peer.setError(error, of: PeerAttribute(descriptor: 0), on: .write)
            try await expectThrows(for: world.reason(error, .writeError(error)), "writing") {
                try await descriptor.write([1])
            }
        }
    }

    private static func describedScene(in world: any ConformanceWorld) async throws -> (Scene, Descriptor) {
        let description = TwinDescriptor("2901", value: [1])
        let scene = try await Scene.discovered(
            TwinCharacteristic(.characteristic(0), properties: [.read, .write], descriptors: [description]), in: world)
        let characteristic = try scene.characteristic()
        try await characteristic.discoverDescriptors()
        return (scene, try require(characteristic.descriptors(withUUID: "2901").first, "the descriptor"))
    }
}

extension ConformanceWorld {
    /// The expected reason for a peer's error: the error itself, unless the platform cannot report it.
    fileprivate func reason(_ error: ATTError, _ subject: WorldLimit.Subject) -> [ErrorReason] {
        [limit(subject)?.error ?? .att(error)]
    }
}
