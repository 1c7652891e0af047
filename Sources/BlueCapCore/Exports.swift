// SPDX-License-Identifier: MIT

@_exported public import protocol BlueCapRuntime.BackendExecutor
@_exported public import struct BlueCapRuntime.BlueCapClock
@_exported public import struct BlueCapRuntime.ClockTimer
// The types of BlueCapRuntime that appear in the interface of managers and backends. The other types of that module are
// for the package's own targets.
@_exported public import class BlueCapRuntime.DispatchBackendExecutor
@_exported public import class BlueCapRuntime.ManualClock
@_exported public import enum BlueCapRuntime.StreamCapacity
@_exported public import struct BlueCapRuntime.Timestamp
