// SPDX-License-Identifier: MIT

// The one home of the platform's C library: other targets import this one.
#if canImport(Glibc)
@_exported public import Glibc
// Swift 6.3.1 takes a timespec, for one, for a type of this module when it compiles a file by itself.
@_exported public import SwiftOverlayShims
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#elseif canImport(WASILibc)
@_exported public import WASILibc
#elseif canImport(ucrt)
@_exported public import ucrt
#else
@_exported public import Darwin
#endif
