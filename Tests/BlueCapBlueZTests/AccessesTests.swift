// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import Testing

struct AccessesTests {
    @Test func `options that are missing or of another type are left out`() {
        let given = AccessOptions(
            .properties(["device": .objectPath("/d"), "offset": .uint16(7), "mtu": .uint16(185)]))
        #expect(given.device == "/d" && given.offset == 7 && given.maximumUpdateLength == 182)
        let strange = AccessOptions(.properties(["device": .string("/d"), "offset": .int32(7), "mtu": .bool(true)]))
        #expect(strange.device == nil && strange.offset == 0 && strange.maximumUpdateLength == nil)
        #expect(AccessOptions(.string("")).device == nil)
        #expect(AccessOptions(.properties(["mtu": .uint16(1)])).maximumUpdateLength == 0)
    }

    @Test func `an error that D-Bus has no name for is none of the replies, and one of an app is its number`() {
        #expect(ATTError.insufficientEncryption.blueZReply == nil)
        #expect(ATTError.invalidOffset.blueZReply?.name == BlueZError.invalidOffset)
        #expect(ATTError(rawValue: 0x85).blueZReply?.text == "0x85")
    }
}
#endif
