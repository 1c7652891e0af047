// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The revolutions of a wheel or a crank, and the time of the last one: what cycling sensors send instead of a speed.
///
/// Both count on and roll over. Two of them give the rate between; see ``revolutionsPerMinute(since:)``.
@frozen
public struct RevolutionData<Count: FixedWidthInteger & UnsignedInteger & Deserializable, Step: ScaleStep>: ByteCodable,
    Hashable
{
    /// The revolutions since some start.
    public var revolutions: Count
    /// The time when the last revolution ended, in seconds since some start; it rolls over after 65536 steps.
    public var eventTime: Scaled<UInt16, Step>

    /// Creates a count of revolutions.
    ///
    /// - Parameters:
    ///   - revolutions: The revolutions since some start.
    ///   - eventTime: The time when the last revolution ended, in seconds since some start.
    @inlinable
    public init(revolutions: Count = 0, eventTime: Scaled<UInt16, Step> = Scaled(rawValue: 0)) {
        self.revolutions = revolutions
        self.eventTime = eventTime
    }

    /// Returns the rate from an earlier value to this one, roll-overs of both numbers included; nil when no revolution
    /// was completed between them.
    ///
    /// The values must be less than a roll-over of the time apart (32 or 64 seconds, by the step); the values do not
    /// show whether they are.
    public func revolutionsPerMinute(since earlier: Self) -> Double? {
        let steps = eventTime.rawValue &- earlier.eventTime.rawValue
        let turns = revolutions &- earlier.revolutions
        guard steps != 0, turns != 0 else { return nil }
        return Double(turns) * 60 * Step.stepsPerUnit / Double(steps)
    }

    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        revolutions = try reader.read()
        eventTime = try reader.read()
    }

    @inlinable public var encodedByteCount: Int { Count.size + 2 }

    @inlinable
    public func encode(into output: inout OutputRawSpan) {
        output.write(revolutions)
        output.write(eventTime.rawValue)
    }
}
