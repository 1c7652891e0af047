// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
import BlueCapCore

extension BLESIGGATTProfiles {
    /// The services for health and sport, and those that tell about the device itself.
    static var health: [ServiceProfile] { device + body + [user] + sport }

    private static var device: [ServiceProfile] {
        [
            ConfiguredServiceProfile<BatteryService>(characteristics: [
                RawCharacteristicProfile<BatteryService.Level>()
            ]).profile,
            ConfiguredServiceProfile<DeviceInformationService>(characteristics: [
                RawCharacteristicProfile<DeviceInformationService.ManufacturerName>(),
                RawCharacteristicProfile<DeviceInformationService.ModelNumber>(),
                RawCharacteristicProfile<DeviceInformationService.SerialNumber>(),
                RawCharacteristicProfile<DeviceInformationService.HardwareRevision>(),
                RawCharacteristicProfile<DeviceInformationService.FirmwareRevision>(),
                RawCharacteristicProfile<DeviceInformationService.SoftwareRevision>(),
                ValueCharacteristicProfile<DeviceInformationService.SystemID>(),
                RawCharacteristicProfile<DeviceInformationService.RegulatoryCertificationDataList>(),
                ValueCharacteristicProfile<DeviceInformationService.PnPID>(),
            ]).profile,
            ConfiguredServiceProfile<TxPowerService>(characteristics: [
                RawCharacteristicProfile<TxPowerService.Level>()
            ]).profile,
            ConfiguredServiceProfile<LinkLossService>(characteristics: [
                RawCharacteristicProfile<LinkLossService.AlertLevel>()
            ]).profile,
            ConfiguredServiceProfile<ImmediateAlertService>(characteristics: [
                RawCharacteristicProfile<ImmediateAlertService.AlertLevel>()
            ]).profile,
        ]
    }

    private static var body: [ServiceProfile] {
        [
            ConfiguredServiceProfile<HeartRateService>(characteristics: [
                ValueCharacteristicProfile<HeartRateService.Measurement>(),
                RawCharacteristicProfile<HeartRateService.BodySensorLocation>(),
                RawCharacteristicProfile<HeartRateService.ControlPoint>(),
            ]).profile,
            ConfiguredServiceProfile<HealthThermometerService>(characteristics: [
                ValueCharacteristicProfile<HealthThermometerService.Measurement>(),
                RawCharacteristicProfile<HealthThermometerService.TemperatureType>(),
                ValueCharacteristicProfile<HealthThermometerService.IntermediateTemperature>(),
                RawCharacteristicProfile<HealthThermometerService.MeasurementInterval>(),
            ]).profile,
            ConfiguredServiceProfile<BloodPressureService>(characteristics: [
                ValueCharacteristicProfile<BloodPressureService.Measurement>(),
                ValueCharacteristicProfile<BloodPressureService.IntermediateCuffPressure>(),
                ValueCharacteristicProfile<BloodPressureService.Feature>(),
            ]).profile,
            ConfiguredServiceProfile<GlucoseService>(characteristics: [
                ValueCharacteristicProfile<GlucoseService.Measurement>(),
                ValueCharacteristicProfile<GlucoseService.Context>(),
                ValueCharacteristicProfile<GlucoseService.Feature>(),
                ValueCharacteristicProfile<GlucoseService.RecordAccessControlPoint>(),
            ]).profile,
            ConfiguredServiceProfile<PulseOximeterService>(characteristics: [
                ValueCharacteristicProfile<PulseOximeterService.SpotCheckMeasurement>(),
                ValueCharacteristicProfile<PulseOximeterService.ContinuousMeasurement>(),
                ValueCharacteristicProfile<PulseOximeterService.Features>(),
                ValueCharacteristicProfile<PulseOximeterService.RecordAccessControlPoint>(),
            ]).profile,
            ConfiguredServiceProfile<WeightScaleService>(characteristics: [
                ValueCharacteristicProfile<WeightScaleService.Feature>(),
                ValueCharacteristicProfile<WeightScaleService.Measurement>(),
            ]).profile,
            ConfiguredServiceProfile<BodyCompositionService>(characteristics: [
                ValueCharacteristicProfile<BodyCompositionService.Feature>(),
                ValueCharacteristicProfile<BodyCompositionService.Measurement>(),
            ]).profile,
        ]
    }

    private static var sport: [ServiceProfile] {
        [
            ConfiguredServiceProfile<CyclingSpeedCadenceService>(characteristics: [
                ValueCharacteristicProfile<CyclingSpeedCadenceService.Measurement>(),
                ValueCharacteristicProfile<CyclingSpeedCadenceService.Feature>(),
                RawCharacteristicProfile<CyclingSpeedCadenceService.SensorLocation>(),
                ValueCharacteristicProfile<CyclingSpeedCadenceService.ControlPoint>(),
            ]).profile,
            ConfiguredServiceProfile<CyclingPowerService>(characteristics: [
                ValueCharacteristicProfile<CyclingPowerService.Measurement>(),
                ValueCharacteristicProfile<CyclingPowerService.Vector>(),
                ValueCharacteristicProfile<CyclingPowerService.Feature>(),
                RawCharacteristicProfile<CyclingPowerService.SensorLocation>(),
                ValueCharacteristicProfile<CyclingPowerService.ControlPoint>(),
            ]).profile,
            ConfiguredServiceProfile<RunningSpeedCadenceService>(characteristics: [
                ValueCharacteristicProfile<RunningSpeedCadenceService.Measurement>(),
                ValueCharacteristicProfile<RunningSpeedCadenceService.Feature>(),
                RawCharacteristicProfile<RunningSpeedCadenceService.SensorLocation>(),
                ValueCharacteristicProfile<RunningSpeedCadenceService.ControlPoint>(),
            ]).profile,
        ]
    }

    private static var user: ServiceProfile {
        ConfiguredServiceProfile<UserDataService>(characteristics: [
            RawCharacteristicProfile<UserDataService.FirstName>(),
            RawCharacteristicProfile<UserDataService.LastName>(),
            RawCharacteristicProfile<UserDataService.EmailAddress>(),
            RawCharacteristicProfile<UserDataService.Age>(),
            RawCharacteristicProfile<UserDataService.DateOfBirth>(),
            RawCharacteristicProfile<UserDataService.Gender>(),
            RawCharacteristicProfile<UserDataService.Weight>(),
            RawCharacteristicProfile<UserDataService.Height>(),
            RawCharacteristicProfile<UserDataService.VO2Max>(),
            RawCharacteristicProfile<UserDataService.HeartRateMax>(),
            RawCharacteristicProfile<UserDataService.RestingHeartRate>(),
            RawCharacteristicProfile<UserDataService.MaximumRecommendedHeartRate>(),
            RawCharacteristicProfile<UserDataService.AerobicThreshold>(),
            RawCharacteristicProfile<UserDataService.AnaerobicThreshold>(),
            RawCharacteristicProfile<UserDataService.ThresholdSportType>(),
            RawCharacteristicProfile<UserDataService.DateOfThresholdAssessment>(),
            RawCharacteristicProfile<UserDataService.WaistCircumference>(),
            RawCharacteristicProfile<UserDataService.HipCircumference>(),
            RawCharacteristicProfile<UserDataService.FatBurnHeartRateLowerLimit>(),
            RawCharacteristicProfile<UserDataService.FatBurnHeartRateUpperLimit>(),
            RawCharacteristicProfile<UserDataService.AerobicHeartRateLowerLimit>(),
            RawCharacteristicProfile<UserDataService.AerobicHeartRateUpperLimit>(),
            RawCharacteristicProfile<UserDataService.AnaerobicHeartRateLowerLimit>(),
            RawCharacteristicProfile<UserDataService.AnaerobicHeartRateUpperLimit>(),
            ValueCharacteristicProfile<UserDataService.FiveZoneHeartRateLimits>(),
            ValueCharacteristicProfile<UserDataService.ThreeZoneHeartRateLimits>(),
            RawCharacteristicProfile<UserDataService.TwoZoneHeartRateLimit>(),
            RawCharacteristicProfile<UserDataService.DatabaseChangeIncrement>(),
            RawCharacteristicProfile<UserDataService.UserIndex>(),
            ValueCharacteristicProfile<UserDataService.ControlPoint>(),
            RawCharacteristicProfile<UserDataService.Language>(),
        ]).profile
    }
}
#endif
