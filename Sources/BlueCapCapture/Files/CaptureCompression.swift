// SPDX-License-Identifier: MIT

/// The ways in which captures are packed for the mail, which a reader names and does not undo.
public enum CaptureCompression: String, Sendable, Hashable, CaseIterable {
    /// The format of gzip(1), RFC 1952.
    case gzip
    /// The format of bzip2(1).
    case bzip2
    /// The format of xz(1).
    case xz
    /// The format of zstd(1), RFC 8878.
    case zstd = "Zstandard"
    /// The frames of LZ4, which Wireshark writes, too.
    case lz4 = "LZ4"
    /// An archive, as Android's bug reports are.
    case zip

    /// The command that unpacks such a file, with `FILE` and `NEW` for the names.
    public var command: String {
        switch self {
        case .gzip: "gunzip < FILE > NEW"
        case .bzip2: "bunzip2 < FILE > NEW"
        case .xz: "unxz < FILE > NEW"
        case .zstd: "unzstd < FILE > NEW"
        case .lz4: "unlz4 < FILE > NEW"
        case .zip: "unzip FILE"
        }
    }

    /// The first bytes of such a file.
    private var beginning: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .bzip2: [0x42, 0x5A, 0x68]
        case .xz: [0xFD, 0x37, 0x7A, 0x58]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        case .lz4: [0x04, 0x22, 0x4D, 0x18]
        case .zip: [0x50, 0x4B, 0x03, 0x04]
        }
    }

    /// The way in which a file is packed, by its first four bytes; nil where it is not.
    init?(first: some Sequence<UInt8>) {
        let first = Array(first)
        guard let found = Self.allCases.first(where: { first.starts(with: $0.beginning) }) else { return nil }
        self = found
    }
}
