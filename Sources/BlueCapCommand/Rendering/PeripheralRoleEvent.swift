// SPDX-License-Identifier: MIT

/// What happens at an emulated peripheral.
struct PeripheralRoleEvent: Encodable, Sendable {
    var event: String
    var name: String?
    var services: [String]?
    /// Which central, where the platform says.
    var central: String?
    var characteristic: String?
    /// Hexadecimal digits.
    var value: String?
    /// The value in the words of its characteristic's type.
    var text: String?
    /// Why something was refused.
    var error: String?
}
