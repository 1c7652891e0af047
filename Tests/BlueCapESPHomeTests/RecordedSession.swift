// SPDX-License-Identifier: MIT

/// Sessions of foreign clients and foreign servers, as they were recorded: the numbers and the bodies of the messages,
/// in hexadecimal digits. Advertisements are left out, and the service Generic Access, which platforms keep to
/// themselves.
///
/// A line begins with `>` for a message of the client, with `<` for an answer of the server, and with `~` for an answer
/// whose body is about the server itself. Where a proxy over a backend answers otherwise, `-` is the foreign answer and
/// `+` its own.
enum RecordedSession {
    /// aioesphomeapi 46.23.0 with the firmware ESPHome 2026.10.0.
    ///
    /// A proxy answers 3, as older clients wait for that; no backend has a passive scan (127) or parameters of
    /// connections (145); there is no cache to be cleared (88), and the keys are removed with the link (86).
    static let firmware = """
        > 1 0a056a7564676510011813
        > 3
        ~ 2
        + 4
        > 9
        ~ 10
        > 149
        ~ 150
        > 11
        < 19
        > 20
        > 80
        > 66 0801
        < 81 08031003
        < 126 080210011801
        > 127
        - 126 08021801
        + 126 080210011801
        > 127 0801
        < 126 080210011801
        > 68 08d588cd91928230100518012001
        < 81 0802100318d588cd91928230
        < 69 08d588cd91928230100118f701
        < 81 0802100318d588cd91928230
        > 70 08d588cd91928230
        < 71 08d588cd91928230121c100a1a15100c18122205100d1882522205100e188152289954208f30126f0893e78fad9b8080a06e089\
        e95f3a6e2a1f9d4e00110141a190893e78fadab8080a06e089e95f3a6e2a1f9d4e0011016180c1a200893e78fadbb8080a06e089e95f\
        3a6e2a1f9d4e00110181810220510191882521a190893e78fadcb8080a06e089e95f3a6e2a1f9d4e001101b1802
        < 72 08d588cd91928230
        > 73 08d588cd91928230100c
        < 74 08d588cd91928230100c1a0157
        > 76 08d588cd91928230100e
        < 74 08d588cd91928230100e1a06636861726765
        > 73 08d588cd9192823010e707
        < 82 08d588cd9192823010e7071801
        > 73 08d588cd91928230101b
        < 82 08d588cd91928230101b1805
        > 78 08d588cd9192823010181801
        < 84 08d588cd919282301018
        > 77 08d588cd9192823010191a020100
        < 83 08d588cd919282301019
        > 75 08d588cd9192823010161801220568656c6c6f
        < 83 08d588cd919282301016
        < 79 08d588cd9192823010181a056f6c6c6568
        > 75 08d588cd9192823010162203616263
        < 83 08d588cd919282301016
        < 79 08d588cd9192823010181a03636261
        > 78 08d588cd919282301018
        > 68 08d588cd919282301002
        < 84 08d588cd919282301018
        < 85 08d588cd919282301001
        > 73 08d588cd91928230101b
        < 74 08d588cd91928230101b1a066c6f636b6564
        > 145 08d588cd919282301018182828d804
        - 146 08d588cd91928230
        > 68 08d588cd919282301003
        < 86 08d588cd919282301001
        + 69 08d588cd919282302008
        + 81 08031003
        > 68 08d588cd919282301003
        < 86 08d588cd9192823018ffffffffffffffffff01
        > 68 08d588cd919282301006
        - 88 08d588cd9192823018ffffffffffffffffff01
        + 88 08d588cd919282301001
        > 68 08d588cd919282301001
        - 69 08d588cd919282302016
        - 81 08031003
        + 69 08d588cd91928230
        > 73 08d588cd91928230100c
        < 82 08d588cd91928230100c18ffffffffffffffffff01
        > 68 08d588cd91928230100418012001
        < 81 0802100318d588cd91928230
        < 69 08d588cd91928230100118f701
        < 81 0802100318d588cd91928230
        > 68 08d588cd919282301001
        < 69 08d588cd919282302016
        < 81 08031003
        > 68 08e6aa919aa3a40410051801
        < 81 0802100318e6aa919aa3a404
        < 69 08e6aa919aa3a404203e
        < 81 08031003
        > 87
        > 5
        < 6
        """

    /// Home Assistant 2025.4.4 asks an independent server who it is, and begins its session with it.
    static let homeAssistant = """
        > 1 0a0d61696f657370686f6d656170691001180a
        ~ 2
        > 9
        ~ 10
        > 5
        < 6
        > 1 0a17486f6d6520417373697374616e7420323032352e342e341001180a
        ~ 2
        > 3
        < 4
        > 9
        ~ 10
        > 11
        < 19
        > 80
        < 81 08031003
        > 66 0801
        < 126 080210011801
        > 20
        > 34
        > 38
        """
}
