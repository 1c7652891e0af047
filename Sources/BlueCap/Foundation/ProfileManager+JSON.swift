// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapProfiles
import BlueCapRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#elseif canImport(Foundation)
import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
extension ProfileManager {
    /// The longest JSON that is read: 4 MiB.
    public static var maximumJSONByteCount: Int { 4 << 20 }

    /// The profiles of a JSON file, by the schema in the article "GATT profiles" of `BlueCapCore`.
    ///
    /// ```swift
    /// let profiles = ProfileManager.all.adding(try ProfileManager(json: Data(contentsOf: file)))
    /// ```
    ///
    /// - Throws: `ProfileFileError`, with the place of the fault. The bytes are not trusted.
    public init(json bytes: some Sequence<UInt8>) throws(ProfileFileError) {
        let text = Array(bytes.prefix(Self.maximumJSONByteCount + 1))
        guard text.count <= Self.maximumJSONByteCount else {
            throw .tooLong(
                byteCount: max(bytes.underestimatedCount, text.count), maximum: Self.maximumJSONByteCount)
        }
        // More values than a file of profiles can hold in so many bytes.
        if let fault = JSONLimits(values: 1 << 19).fault(in: text) { throw ProfileFileError(fault) }
        do {
            self.init(services: try JSONDecoder().decode(ProfileFile.self, from: Data(text)).services)
        } catch let error as ProfileFileError {
            throw error
        } catch let error as DecodingError {
            throw ProfileFileError(DecodingFault(error, in: text))
        } catch {
            throw .invalidJSON(String(describing: error))
        }
    }
}

extension ProfileFileError {
    fileprivate init(_ fault: DecodingFault) {
        switch fault {
        case .notJSON(let text): self = .invalidJSON(text)
        case .invalid(let path, let reason): self = .invalid(path: path, reason: reason)
        }
    }
}
#endif
