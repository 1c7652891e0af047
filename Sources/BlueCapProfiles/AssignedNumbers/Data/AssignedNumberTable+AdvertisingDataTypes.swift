// SPDX-License-Identifier: MIT

// Bluetooth SIG, assigned numbers, edition of June 2026 (company identifiers through 0x10AE). Written by
// Tests/Support/AssignedNumbers/generate.py.
// swift-format-ignore-file

extension AssignedNumberTable {
    /// AD types.
    static var advertisingDataTypes: AssignedNumberTable {
        AssignedNumberTable(entries: #"""
0001Flags^0002Incomplete List of 16-bit Service or Service Class UUIDs^0003Complete List of 16-bit Service or Service Class UUIDs^0004Incomplete List of 32-bit Service or Service Class UUIDs^0005Complete List of 32-bit Service or Service Class UUIDs^0006Incomplete List of 128-bit Service or Service Class UUIDs^0007Complete List of 128-bit Service or Service Class UUIDs^0008Shortened Local Name^0009Complete Local Name^000ATx Power Level^000DClass of Device^000ESimple Pairing Hash C-192^000FSimple Pairing Randomizer R-192
0010Device ID^0011Security Manager Out of Band Flags^0012Peripheral Connection Interval Range^0014List of 16-bit Service Solicitation UUIDs^0015List of 128-bit Service Solicitation UUIDs^0016Service Data - 16-bit UUID^0017Public Target Address^0018Random Target Address^0019Appearance^001AAdvertising Interval^001BLE Bluetooth Device Address^001CLE Role^001DSimple Pairing Hash C-256^001ESimple Pairing Randomizer R-256^001FList of 32-bit Service Solicitation UUIDs
0020Service Data - 32-bit UUID^0021Service Data - 128-bit UUID^0022LE Secure Connections Confirmation Value^0023LE Secure Connections Random Value^0024URI^0025Indoor Positioning^0026Transport Discovery Data^0027LE Supported Features^0028Channel Map Update Indication^0029PB-ADV^002AMesh Message^002BMesh Beacon^002CBIGInfo^002DBroadcast_Code^002EResolvable Set Identifier^002FAdvertising Interval - long
0030Broadcast_Name^0031Encrypted Advertising Data^0032Periodic Advertising Response Timing Information^0034Electronic Shelf Label^003D3D Information Data
00FFManufacturer Specific Data
"""#, byName: """
003D 001A 002F 0019 002C 002D 0030 0028 000D 0007 0003 0005 0009 0010 0034 0031 0001 0006 0002 0004 0025 001B 001C 0022 0023 0027 0015 0014 001F 00FF 002B 002A 0029 0032 0012 0017 0018 002E 0011 0021 0016 0020 0008 000E 001D 000F 001E 0026 000A 0024
""")
    }
}
