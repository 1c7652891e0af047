// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapTesting
import CoreBluetooth

/// Random programs play here too: the faults of the platform's service are those of the stand-in.
extension StandInWorld: SimulationGround {
    var tolerance: Duration { .zero }

    /// F1: the system pairs by itself. D7, G4: a user description is a text, and never changes where it is one's own.
    var missingAbilities: Set<SimulationAbility> { [.pairing, .descriptors] }

    func makeCentral(
        through layer: @escaping @Sendable (any CentralBackend) -> any CentralBackend
    ) async throws -> CentralManager {
        makeCentral(over: CoreBluetoothCentralBackend(), through: layer)
    }

    func makePeripheralManager(
        through layer: @escaping @Sendable (any PeripheralBackend) -> any PeripheralBackend
    ) async throws -> PeripheralManager {
        makePeripheralManager(over: CoreBluetoothPeripheralBackend(), through: layer)
    }

    func begin(_ fault: ServiceFault) async throws { host.faults.insert(fault.standIn) }

    func end(_ fault: ServiceFault) async throws {
        if !habits.contains(fault.standIn) { host.faults.remove(fault.standIn) }
    }

    /// The managers of CoreBluetooth have their last callbacks after they are given up.
    func remains() async throws -> [String: Int] {
        var remains: [String: Int] = [:]
        for kind in StandInObject.allCases where host.liveCount(kind) > 0 {
            remains["\(kind)"] = host.liveCount(kind)
        }
        for misuse in host.misuses { remains["misuses: \(misuse)", default: 0] += 1 }
        return remains
    }
}

extension ServiceFault {
    /// A fault of the stand-in, each of which some call stands for.
    fileprivate var standIn: StandInFault {
        let all = StandInFault.allCases
        return switch self {
        case .refuses(let call), .holdsBack(let call), .answersTwice(let call): all[call % all.count]
        case .repeatsItself: .connectTwice
        case .standsStill: .silentCancel
        }
    }
}
