// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapJSON
import BlueCapRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Twin {
    /// The greatest size of JSON that is read: 64 MiB.
    public static let maximumByteCount = 64 << 20

    /// Creates a twin from JSON, as ``json`` writes it.
    ///
    /// The bytes are not trusted: everything is checked against the limits of <doc:TwinFormat>.
    ///
    /// - Throws: ``TwinError``.
    public init(json bytes: some Sequence<UInt8>) throws(TwinError) {
        let text = Array(bytes.prefix(Self.maximumByteCount + 1))
        // The bytes of an array are counted without a look at them.
        guard text.count <= Self.maximumByteCount else {
            throw .tooLong(byteCount: max(bytes.underestimatedCount, text.count))
        }
        let json: PlacedJSON
        do throws(JSONFault) {
            json = try PlacedJSON(text, within: TwinLimits.json)
        } catch {
            throw TwinError(DecodingFault(error))
        }
        do {
            self = try json.decode(Twin.self)
        } catch let error as TwinError {
            guard case .invalid(let path, let reason) = error else { throw error }
            let place = json.place(at: PlacedJSON.keys(ofPath: path))
            throw TwinError(DecodingFault(path: path, reason: reason, at: place))
        } catch let error as DecodingError {
            throw TwinError(DecodingFault(error, in: json))
        } catch {
            throw .invalidJSON(String(describing: error))
        }
    }

    /// The twin as JSON for people and programs: keys in the order of the alphabet, a line for each value, a line break
    /// at the end. Characters that a terminal would obey are escaped.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Nothing in a twin cannot be encoded: numbers are finite and texts are texts.
        guard let data = try? encoder.encode(self) else { return "{}\n" }
        return PrintableText.escaping(json: String(decoding: data, as: UTF8.self)) + "\n"
    }
}

extension TwinError {
    init(_ fault: DecodingFault) {
        switch fault {
        case .notJSON(let text): self = .invalidJSON(text)
        case .invalid(let path, let reason): self = .invalid(path: path, reason: reason)
        }
    }
}

/// The reason for which JSON is no twin, with the place in it.
public enum TwinError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There are more bytes than `Twin.maximumByteCount`.
    case tooLong(byteCount: Int)
    /// The bytes are not JSON; the text says why.
    case invalidJSON(String)
    /// The JSON is something else: `schema` is not `bluecap-twin`.
    case notATwin
    /// A newer version of this package wrote it.
    case newerVersion(Int)
    /// A value is missing or not allowed. The path names it, such as `services[2].characteristics[0].uuid`; the reason
    /// ends with its line and its column.
    case invalid(path: String, reason: String)

    /// A sentence that names the fault and its place.
    public var description: String {
        switch self {
        case .tooLong(let count): "a twin has at most \(Twin.maximumByteCount) bytes, and this has \(count)"
        case .invalidJSON(let reason): "this is not JSON: \(reason)"
        case .notATwin: "this is JSON, but no twin: \"schema\" is not \"bluecap-twin\""
        case .newerVersion(let version):
            "this twin has version \(version), and \(Twin.version) is the newest that is known: a newer bluecap reads it"
        case .invalid(let path, let reason): "\(path.isEmpty ? "the twin" : path): \(reason)"
        }
    }
}
