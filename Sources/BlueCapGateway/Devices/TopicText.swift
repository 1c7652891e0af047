// SPDX-License-Identifier: MIT

#if Gateway
/// Text for a level of a topic.
package enum TopicText {
    /// The text with at most 64 characters, and with `_` in the place of all but letters, digits, `-` and `_` of ASCII.
    ///
    /// Other characters of a name off the radio would change the topic: `/` makes another level, and brokers refuse `+`
    /// and `#`. Home Assistant takes only the characters that are left here.
    package static func level(_ text: String) -> String {
        let level = String(text.unicodeScalars.prefix(64).map { isPlain($0) ? Character($0) : "_" })
        return level.isEmpty ? "_" : level
    }

    /// The reason why a text is no beginning of topics; nil if it is one.
    package static func fault(inPrefix text: String) -> String? {
        if text.unicodeScalars.contains(where: { "+#".unicodeScalars.contains($0) }) {
            return "has + or #, which stand for other levels: remove it"
        }
        // Brokers end a connection for them (MQTT 5.0, 1.5.4).
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "has a control character: remove it"
        }
        if text.hasPrefix("$") { return "begins with $, as topics of the broker's own do: choose another" }
        return text.utf8.count > 255 ? "is longer than 255 bytes: shorten it" : nil
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    /// The identifier of a device: the digits of its address in lower case, `c0de00000001`.
    package static func device(_ identifier: String) -> String {
        level(identifier.filter { $0 != ":" }.lowercased())
    }
}
#endif
