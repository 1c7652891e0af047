// SPDX-License-Identifier: MIT

@_exported public import BlueCapBeacon
@_exported public import BlueCapCore
@_exported public import BlueCapProfiles
@_exported public import BlueCapSerDe
@_exported public import BlueCapVendorProfiles
@_exported public import BlueCapVirtual

#if os(Linux)
@_exported public import BlueCapBlueZ
@_exported public import BlueCapSharedRadio
#elseif os(macOS) || os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
@_exported public import BlueCapCoreBluetooth
#endif
