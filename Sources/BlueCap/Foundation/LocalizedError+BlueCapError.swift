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

/// The texts that Foundation shows of the package's errors.
extension LocalizedError where Self: BlueCapError {
    /// The error and advice as sentences; `localizedDescription` is the same.
    public var errorDescription: String? { explanation.description.sentence }

    /// The error as a sentence.
    public var failureReason: String? { message.sentence }

    /// The advice as a sentence; nil where nothing helps.
    public var recoverySuggestion: String? { advice?.sentence }
}

extension ProfileFileError: LocalizedError {
    /// The error and its place as a sentence; `localizedDescription` is the same.
    public var errorDescription: String? { description.sentence }
}

extension VirtualRunError: LocalizedError {
    /// The error and advice as sentences; `localizedDescription` is the same.
    public var errorDescription: String? { description.sentence }
}

extension String {
    /// The clause with a capital and a full stop.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
#endif
