// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The units of a scale's measurements, each with steps of its own (Weight Scale Service 1.0; Body Composition Service
/// 1.0; GATT Specification Supplement, Weight Measurement).
public enum MeasurementSystem: String, Sendable, CaseIterable {
    /// Masses in kilograms, in steps of 0.005; heights in metres, in steps of 0.001.
    case metric
    /// Masses in pounds, in steps of 0.01; heights in inches, in steps of 0.1.
    case imperial

    /// Returns a mass, in this system's unit, for the number as it is sent.
    public func mass(raw: UInt16) -> Double { Double(raw) / massSteps }

    /// Returns a height, in this system's unit, for the number as it is sent.
    public func height(raw: UInt16) -> Double { Double(raw) / heightSteps }

    /// Returns the number as it is sent for a mass in this system's unit, rounded to the nearest step.
    ///
    /// - Throws: `SerDeError.invalidValue(offset:)` when it is out of range.
    public func rawMass(_ mass: Double) throws(SerDeError) -> UInt16 { try Self.raw(mass * massSteps) }

    /// Returns the number as it is sent for a height in this system's unit, rounded to the nearest step.
    ///
    /// - Throws: `SerDeError.invalidValue(offset:)` when it is out of range.
    public func rawHeight(_ height: Double) throws(SerDeError) -> UInt16 { try Self.raw(height * heightSteps) }

    var massUnit: String { self == .metric ? "kg" : "lb" }
    var heightUnit: String { self == .metric ? "m" : "in" }

    private var massSteps: Double { self == .metric ? 200 : 100 }
    private var heightSteps: Double { self == .metric ? 1000 : 10 }

    private static func raw(_ steps: Double) throws(SerDeError) -> UInt16 {
        guard let raw = UInt16(exactly: steps.rounded()) else { throw .invalidValue() }
        return raw
    }
}

/// A value of masses and heights in one system of units.
protocol MeasuredInSystem: Sendable {
    var system: MeasurementSystem { get }
}

extension TextField where Root: MeasuredInSystem {
    /// A mass in the unit of the value's system, which must come before it in the table. The text is "unknown" for the
    /// number that says that it is not known.
    init(mass name: String, _ path: any WritableKeyPath<Root, UInt16> & Sendable, unknown: UInt16) {
        self.init(
            name, isNumber: true, unitOfValue: { $0.system.massUnit },
            text: { root in
                UnknownText.text(of: root[keyPath: path], unknown: unknown) {
                    DecimalText.fixed(root.system.mass(raw: $0), root.system == .metric ? 3 : 2)
                }
            },
            parse: { root, text in
                let system = root.system
                let raw = UnknownText.number(from: text, unknown: unknown) { text in
                    Double(text).flatMap { try? system.rawMass($0) }
                }
                guard let raw else { return false }
                root[keyPath: path] = raw
                return true
            })
    }

    /// A mass that not every value has.
    init(mass name: String, _ path: any WritableKeyPath<Root, UInt16?> & Sendable) {
        self.init(
            name, path, unit: \.massUnit, text: { DecimalText.fixed($0.mass(raw: $1), $0 == .metric ? 3 : 2) },
            raw: { try? $0.rawMass($1) })
    }

    /// A height that not every value has, in the unit of the value's system, which must come before it in the table.
    init(height name: String, _ path: any WritableKeyPath<Root, UInt16?> & Sendable) {
        self.init(
            name, path, unit: \.heightUnit, text: { DecimalText.fixed($0.height(raw: $1), $0 == .metric ? 3 : 1) },
            raw: { try? $0.rawHeight($1) })
    }

    private init(
        _ name: String, _ path: any WritableKeyPath<Root, UInt16?> & Sendable,
        unit: @escaping @Sendable (MeasurementSystem) -> String,
        text: @escaping @Sendable (MeasurementSystem, UInt16) -> String,
        raw: @escaping @Sendable (MeasurementSystem, Double) -> UInt16?
    ) {
        self.init(
            name, isNumber: true, isOptional: true, unitOfValue: { unit($0.system) },
            text: { root in root[keyPath: path].map { text(root.system, $0) } },
            parse: { root, text in
                guard let number = Double(text), let raw = raw(root.system, number) else { return false }
                root[keyPath: path] = raw
                return true
            })
    }
}
