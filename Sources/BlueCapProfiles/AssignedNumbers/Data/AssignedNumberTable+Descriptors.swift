// SPDX-License-Identifier: MIT

// Bluetooth SIG, assigned numbers, edition of June 2026 (company identifiers through 0x10AE). Written by
// Tests/Support/AssignedNumbers/generate.py.
// swift-format-ignore-file

extension AssignedNumberTable {
    /// GATT descriptors.
    static var descriptors: AssignedNumberTable {
        AssignedNumberTable(entries: #"""
2900Characteristic Extended Properties^2901Characteristic User Description^2902Client Characteristic Configuration^2903Server Characteristic Configuration^2904Characteristic Presentation Format^2905Characteristic Aggregate Format^2906Valid Range^2907External Report Reference^2908Report Reference^2909Number of Digitals^290AValue Trigger Setting^290BEnvironmental Sensing Configuration^290CEnvironmental Sensing Measurement^290DEnvironmental Sensing Trigger Setting^290ETime Trigger Setting^290FComplete BR-EDR Transport Block Data
2910Observation Schedule^2911Valid Range and Accuracy^2912Measurement Description^2913Manufacturer Limits^2914Process Tolerances^2915IMD Trigger Setting^2916Cooking Sensor Info^2917Cooking Trigger Setting
"""#, byName: """
2905 2900 2904 2901 2902 290F 2916 2917 290B 290C 290D 2907 2915 2913 2912 2909 2910 2914 2908 2903 290E 2906 2911 290A
""")
    }
}
