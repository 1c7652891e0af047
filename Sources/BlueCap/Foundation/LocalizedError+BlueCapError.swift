// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapProfiles
public import BlueCapVirtual

#if canImport(FoundationEssentials)
public import FoundationEssentials
#elseif canImport(Foundation)
public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
extension CentralManagerError: LocalizedError {}
extension PeripheralError: LocalizedError {}
extension ServiceError: LocalizedError {}
extension CharacteristicError: LocalizedError {}
extension PeripheralManagerError: LocalizedError {}
extension MutableCharacteristicError: LocalizedError {}

/// What Foundation shows of the package's errors.
extension LocalizedError where Self: BlueCapError {
    /// A sentence that says what went wrong and what to do about it; `localizedDescription` is the same.
    public var errorDescription: String? { explanation.description.sentence }

    /// A sentence that says what went wrong.
    public var failureReason: String? { message.sentence }

    /// A sentence that says what to do about it; nil where nothing helps.
    public var recoverySuggestion: String? { advice?.sentence }
}

extension ProfileFileError: LocalizedError {
    /// A sentence that says what is wrong, and where; `localizedDescription` is the same.
    public var errorDescription: String? { description.sentence }
}

extension VirtualRunError: LocalizedError {
    /// A sentence that says what went wrong and what to do about it; `localizedDescription` is the same.
    public var errorDescription: String? { description.sentence }
}

extension String {
    /// The clause with a capital and a full stop.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
#endif
