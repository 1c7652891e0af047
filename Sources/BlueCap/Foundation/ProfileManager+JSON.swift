// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapProfiles

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
            throw ProfileFileError(error)
        } catch {
            throw .invalidJSON(String(describing: error))
        }
    }
}

extension ProfileFileError {
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .dataCorrupted(let context):
            // Of bytes that are no JSON the decoder says so without a path; what is wrong with a value has one.
            if context.codingPath.isEmpty {
                self = .invalidJSON(context.underlyingError.map { "\($0)" } ?? context.debugDescription)
            } else {
                self = .invalid(path: Self.path(context.codingPath), reason: context.debugDescription)
            }
        case .keyNotFound(let key, let context):
            self = .invalid(path: Self.path(context.codingPath + [key]), reason: "it is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = .invalid(path: Self.path(context.codingPath), reason: context.debugDescription)
        @unknown default: self = .invalid(path: "", reason: "\(error)")
        }
    }

    /// `services[2].characteristics[0].uuid`.
    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue.prefix(64)
            }
        }
    }
}
#endif
