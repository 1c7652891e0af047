// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapJSON
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
        let json: PlacedJSON
        do throws(JSONFault) {
            json = try PlacedJSON(text, within: JSONLimits(values: 1 << 19))
        } catch {
            throw ProfileFileError(DecodingFault(error))
        }
        do {
            self.init(services: try json.decode(ProfileFile.self).services)
        } catch let error as ProfileFileError {
            throw error
        } catch let error as DecodingError {
            throw ProfileFileError(DecodingFault(error, in: json))
        } catch {
            throw .invalidJSON(String(describing: error))
        }
    }

    /// The profiles as JSON for people and programs, which ``init(json:)`` and `bluecap --profiles` read: keys in the
    /// order of the alphabet, a line for each value, a line break at the end.
    ///
    /// Profiles that are declared in Swift become a file for the tool, and for programs that are not compiled with
    /// them:
    ///
    /// ```swift
    /// let profiles = ProfileManager(services: [lamp])
    /// try Data(profiles.json.utf8).write(to: file)
    /// ```
    ///
    /// A type has functions for its bytes and no description of them. Its fields are found by trying values: those of
    /// texts in UTF-8, and those of values of one length with integers, numbers and words. Values of other types are
    /// hexadecimal in the file. Each value that is found is shown as by the type, perhaps with more or fewer decimals.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Nothing in a file of profiles cannot be encoded: numbers are finite and texts are texts.
        guard let data = try? encoder.encode(ProfileFile(services: services)) else { return "{}\n" }
        return PrintableText.escaping(json: String(decoding: data, as: UTF8.self)) + "\n"
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
