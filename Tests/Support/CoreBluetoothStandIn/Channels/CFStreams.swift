// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Dispatch
public import Foundation

// Two functions of Core Foundation, which Linux does not show.

/// Has the events of a stream come on a queue; nil for none.
public func CFReadStreamSetDispatchQueue(_ stream: InputStream!, _ q: DispatchQueue!) {
    (stream as? any PipedStream)?.queue = q
}

/// Has the events of a stream come on a queue; nil for none.
public func CFWriteStreamSetDispatchQueue(_ stream: OutputStream!, _ q: DispatchQueue!) {
    (stream as? any PipedStream)?.queue = q
}
