// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Foundation

extension Row {
    static func decoding(_ inputs: AllInputs) -> [Row] {
        number(inputs.u16)
            + value("Int8 x3", Triple.self, inputs.triple)
            + value("pair", Pair.self, inputs.pair)
            + value("array pair", ArrayPair.self, inputs.arrayPair)
            + value("Heart Rate", HeartRate.self, inputs.heartRate)
            + value("Heart Rate profile", HeartRateService.Measurement.self, inputs.heartRate)
    }

    private static func number(_ inputs: Inputs) -> [Row] {
        [
            Row("decode u16 from RawSpan") { times in
                loop(times) {
                    UInt64((try? SerDe.deserialize(RawSpan(_unsafeBytes: inputs.buffer($0)), as: UInt16.self)) ?? 0)
                }
            },
            Row("decode u16 from Bytes") { [bytes = inputs.bytes] times in
                loop(times) { UInt64((try? SerDe.deserialize(bytes[$0], as: UInt16.self)) ?? 0) }
            },
            Row("decode u16 from Data") { [data = inputs.data] times in
                loop(times) { UInt64((try? SerDe.deserialize(data[$0], as: UInt16.self)) ?? 0) }
            },
        ]
    }

    // Inlined where the type is known, as in an application that decodes by hand.
    @inline(__always)
    private static func value<T: ByteDecodable>(_ name: String, _ type: T.Type, _ inputs: Inputs) -> [Row] {
        [
            Row("decode \(name) from RawSpan") { times in
                loop(times) { consume(try? SerDe.deserialize(RawSpan(_unsafeBytes: inputs.buffer($0)), as: T.self)) }
            },
            Row("decode \(name) from Bytes") { [bytes = inputs.bytes] times in
                loop(times) { consume(try? SerDe.deserialize(bytes[$0], as: T.self)) }
            },
            Row("decode \(name) from Data") { [data = inputs.data] times in
                loop(times) { consume(try? SerDe.deserialize(data[$0], as: T.self)) }
            },
        ]
    }

    static func failures(_ inputs: AllInputs) -> [Row] {
        let short = inputs.short
        return [
            // Not inlined, as when the reader is handed from type to type.
            Row("refuse a truncated u16 in a reader") { times in
                loop(times) { index in
                    var reader = ByteReader(RawSpan(_unsafeBytes: short.buffer(index)))
                    do { return UInt64(try number(&reader)) } catch { return 1 }
                }
            },
            Row("refuse a truncated u16 in Bytes") { [bytes = short.bytes] times in
                loop(times) { index in
                    do throws(SerDeError) {
                        return UInt64(try SerDe.deserialize(bytes[index], as: UInt16.self))
                    } catch {
                        return consume(error)
                    }
                }
            },
            Row("refuse a truncated u16 in Data") { [data = short.data] times in
                loop(times) { index in
                    do throws(SerDeError) {
                        return UInt64(try SerDe.deserialize(data[index], as: UInt16.self))
                    } catch {
                        return consume(error)
                    }
                }
            },
        ]
    }

    @inline(never)
    private static func number(_ reader: inout ByteReader) throws(SerDeError) -> UInt16 { try reader.read() }
}
