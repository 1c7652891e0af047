// SPDX-License-Identifier: MIT

/// An ability that the random program of a ``Simulation`` uses, and some platforms do not have.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum SimulationAbility: String, Sendable, Hashable, CaseIterable {
    /// Pairing, of the program with a device and of a far central with the program.
    case pairing
    /// User descriptions of any bytes, which are written and read as they are.
    case descriptors
}
