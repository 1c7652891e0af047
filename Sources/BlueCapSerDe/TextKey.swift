// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
/// The key of a dictionary whose keys have a form in text; as an error, that of an object which has a key too many.
package struct TextKey: CodingKey, Error {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}
#endif
