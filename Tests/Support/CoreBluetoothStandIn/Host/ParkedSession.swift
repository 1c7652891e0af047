// SPDX-License-Identifier: MIT

/// The system's side of a manager whose program ended, with its description of the objects (R3).
enum ParkedSession: Sendable {
    case central(CentralSession, RestoredCentral)
    case peripheral(PeripheralSession, RestoredPeripheral)
}
