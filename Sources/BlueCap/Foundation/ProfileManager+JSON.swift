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
    /// - Throws: `ProfileFileError`, with the place of what is wrong. The bytes are not trusted.
    public init(json bytes: some Sequence<UInt8>) throws(ProfileFileError) {
        let data = Data(bytes.prefix(Self.maximumJSONByteCount + 1))
        guard data.count <= Self.maximumJSONByteCount else {
            throw .tooLong(byteCount: data.count, maximum: Self.maximumJSONByteCount)
        }
        do {
            self.init(services: try JSONDecoder().decode(ProfileFile.self, from: data).services)
        } catch let error as ProfileFileError {
            throw error
        } catch let error as DecodingError {
            throw ProfileFileError(error, in: Array(data))
        } catch {
            throw .invalidJSON(String(describing: error))
        }
    }
}

extension ProfileFileError {
    fileprivate init(_ error: DecodingError, in text: [UInt8]) {
        switch DecodingFault(error, in: text) {
        case .notJSON(let text): self = .invalidJSON(text)
        case .invalid(let path, let reason): self = .invalid(path: path, reason: reason)
        }
    }
}
#endif
