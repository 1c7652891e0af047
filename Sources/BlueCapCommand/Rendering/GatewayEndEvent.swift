// SPDX-License-Identifier: MIT

/// The numbers of a gateway, at its end.
struct GatewayEndEvent: Encodable, Sendable {
    var event = "gateway"
    var published: Int
    var replaced: Int
    var dropped: Int
    var refused: Int
    var lost: Int
    var connections: Int
    /// Events of the broker for which there was no room.
    var missed: Int
    var encrypted: Int
    var unread: Int
    var replayed: Int
    /// Devices that gave way to others, as there were too many.
    var forgotten: Int
    /// Messages in the file for the next run, those of the last one whose time was over, and how often the file could
    /// not be written; nil without a file.
    var kept: Int?
    var expired: Int?
    var unwritten: Int?
    /// Messages of a group that were not sent over a later connection; nil without a group.
    var outdated: Int?
    /// Messages of a group that are not those of a gateway; nil without a group.
    var ignored: Int?
    /// Failures of connections to devices, and what became of commands; nil without rules that connect.
    var linkFailures: Int?
    var written: Int?
    var notWritten: Int?
    var refusedCommands: Int?
    var date: String

    /// For people.
    var lines: [String] {
        let losses = [
            (dropped, "dropped as there was no room"), (refused, "refused"),
            (outdated ?? 0, "outdated by a lost connection"),
            (expired ?? 0, "expired"), (kept ?? 0, "kept for the next start"), (lost, "not answered"),
        ]
        let told = losses.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let messages = "published \(TextLayout.count(published, "message"))"
        let first = ([messages, "\(replaced) replaced by newer ones"] + told).joined(separator: ", ")
        let frames = [
            (encrypted, "encrypted, and without a key"), (unread, "not of their key"), (replayed, "sent again"),
        ]
        var lines = [first]
        if missed > 0 {
            lines.append("\(TextLayout.count(missed, "event")) of the broker without room: it was asked again")
        }
        if forgotten > 0 { lines.append("\(TextLayout.count(forgotten, "device")) gave way to others: too many") }
        if let unwritten, unwritten > 0 { lines.append("the file for the next start could not be written") }
        if let ignored, ignored > 0 { lines.append("\(TextLayout.count(ignored, "message")) of no gateway: ignored") }
        if let linkFailures, linkFailures > 0 {
            lines.append("\(TextLayout.count(linkFailures, "failure")) of connections to devices")
        }
        if let written, let notWritten, let refusedCommands, written + notWritten + refusedCommands > 0 {
            let values = "\(TextLayout.count(written, "value")) of commands written, \(notWritten) not written"
            lines.append("\(values), \(TextLayout.count(refusedCommands, "command")) refused")
        }
        return lines + frames.filter { $0.0 > 0 }.map { "\(TextLayout.count($0.0, "frame")) \($0.1): not read" }
    }
}
