// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// Keeps journals in files of one folder: each `name.journal`, replaced as a whole and readable by its user only.
///
/// A lock beside the file (`name.lock`) keeps a second program from writing to the same journal; the system releases it
/// when a program ends, however it ends.
public struct FileRestorationStore: RestorationStore {
    /// The folder; nil where the environment names none.
    public let folder: String?

    /// A store in a folder, which is made when the first journal is opened.
    ///
    /// - Parameter folder: Where to keep journals; nil for the folder of the environment: the first of
    ///   `$STATE_DIRECTORY`, which systemd sets for a service with `StateDirectory=`; else `bluecap` in
    ///   `$XDG_STATE_HOME`, or in `~/.local/state`, or on Apple's platforms in `~/Library/Application Support` (on tvOS
    ///   in `~/Library/Caches`).
    public init(folder: String? = nil) { self.folder = folder ?? Self.folderOfEnvironment }

    /// Opens the journal of a name, in the file that the name gives. Characters that file names should not have are
    /// written as their codes; a name that gets too long for a file by that is cut, and ends with a checksum.
    ///
    /// - Throws: `.unusable` where there is no folder, `.inUse` where another manager has the journal open,
    ///   `.inaccessible` where the system refuses access.
    public func open(_ name: String) throws(RestorationFailure) -> any RestorationJournal {
        guard let folder else { throw RestorationFailure(.unusable, location: name) }
        return try FileJournal(folder: folder, name: Self.fileName(name))
    }

    static func fileName(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for (index, byte) in name.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.append(byte)
            case UInt8(ascii: ".") where index > 0: text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        let whole = String(decoding: text, as: UTF8.self)
        if text.count <= longestFileName { return whole }
        // Two names of one checksum are not taken for each other: a journal names its identifier.
        var checksum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text { checksum = (checksum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return whole.prefix(longestFileName - 20) + "%~" + String(checksum, radix: 16, uppercase: true)
    }

    /// With what is put behind it, within the 255 bytes that file systems allow.
    private static let longestFileName = 200

    private static var folderOfEnvironment: String? {
        if let first = variable("STATE_DIRECTORY")?.split(separator: ":").first { return String(first) }
        return StateFolder.own.path(variable).map { $0 + "/bluecap" }
    }

    /// A variable that names an absolute path, as these have to.
    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.hasPrefix("/") ? text : nil
    }
}
