// SPDX-License-Identifier: MIT

/// How much a manager's log says about the devices around.
public enum LogPrivacy: Sendable, Hashable {
    /// Device addresses and identifiers appear as pseudonyms (`<device 5f3a09c1>`) and names as `<name>`. A pseudonym
    /// is the same for one device throughout a run of the program, and says nothing in another run.
    case redacted
    /// Addresses, identifiers and names appear as they are.
    case plain
}
