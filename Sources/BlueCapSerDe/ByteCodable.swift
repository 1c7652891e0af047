// SPDX-License-Identifier: MIT

/// A value with a form in bytes that is both read and written.
public typealias ByteCodable = ByteDecodable & ByteEncodable
