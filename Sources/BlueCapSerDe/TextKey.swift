// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
/// The key of a dictionary whose keys have a form in text.
package struct TextKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}
#endif
