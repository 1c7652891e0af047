// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
import BlueCapCore

extension BLESIGGATTProfiles {
    /// The services for sensing, moving and control.
    static var sensing: [ServiceProfile] {
        [environmentalSensing, currentTime, fitnessMachine, locationAndNavigation, automationIO, humanInterfaceDevice]
    }

    private static var environmentalSensing: ServiceProfile {
        ConfiguredServiceProfile<EnvironmentalSensingService>(characteristics: weather + air).profile
    }

    private static var weather: [any CharacteristicProfileProtocol] {
        [
            ValueCharacteristicProfile<EnvironmentalSensingService.DescriptorValueChanged>(),
            RawCharacteristicProfile<EnvironmentalSensingService.ApparentWindDirection>(),
            RawCharacteristicProfile<EnvironmentalSensingService.ApparentWindSpeed>(),
            RawCharacteristicProfile<EnvironmentalSensingService.TrueWindDirection>(),
            RawCharacteristicProfile<EnvironmentalSensingService.TrueWindSpeed>(),
            RawCharacteristicProfile<EnvironmentalSensingService.GustFactor>(),
            RawCharacteristicProfile<EnvironmentalSensingService.Temperature>(),
            RawCharacteristicProfile<EnvironmentalSensingService.DewPoint>(),
            RawCharacteristicProfile<EnvironmentalSensingService.HeatIndex>(),
            RawCharacteristicProfile<EnvironmentalSensingService.WindChill>(),
            RawCharacteristicProfile<EnvironmentalSensingService.Humidity>(),
            RawCharacteristicProfile<EnvironmentalSensingService.Pressure>(),
            RawCharacteristicProfile<EnvironmentalSensingService.BarometricPressureTrend>(),
            RawCharacteristicProfile<EnvironmentalSensingService.Rainfall>(),
            RawCharacteristicProfile<EnvironmentalSensingService.UVIndex>(),
            RawCharacteristicProfile<EnvironmentalSensingService.Irradiance>(),
            RawCharacteristicProfile<EnvironmentalSensingService.Elevation>(),
            RawCharacteristicProfile<EnvironmentalSensingService.MagneticDeclination>(),
            ValueCharacteristicProfile<EnvironmentalSensingService.MagneticFluxDensity2D>(),
            ValueCharacteristicProfile<EnvironmentalSensingService.MagneticFluxDensity3D>(),
        ]
    }

    private static var air: [any CharacteristicProfileProtocol] {
        [
            RawCharacteristicProfile<EnvironmentalSensingService.PollenConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.AmmoniaConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.CarbonMonoxideConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.CO2Concentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.MethaneConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.NitrogenDioxideConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.NonMethaneVOCConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.OzoneConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.PM1Concentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.PM25Concentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.PM10Concentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.SulfurDioxideConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.SulfurHexafluorideConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.VOCConcentration>(),
            RawCharacteristicProfile<EnvironmentalSensingService.Noise>(),
        ]
    }

    private static var currentTime: ServiceProfile {
        ConfiguredServiceProfile<CurrentTimeService>(characteristics: [
            ValueCharacteristicProfile<CurrentTimeService.CurrentTime>(),
            ValueCharacteristicProfile<CurrentTimeService.LocalTimeInformation>(),
            ValueCharacteristicProfile<CurrentTimeService.ReferenceTimeInformation>(),
        ]).profile
    }

    private static var fitnessMachine: ServiceProfile {
        ConfiguredServiceProfile<FitnessMachineService>(characteristics: [
            ValueCharacteristicProfile<FitnessMachineService.Feature>(),
            ValueCharacteristicProfile<FitnessMachineService.TreadmillData>(),
            ValueCharacteristicProfile<FitnessMachineService.CrossTrainerData>(),
            ValueCharacteristicProfile<FitnessMachineService.StepClimberData>(),
            ValueCharacteristicProfile<FitnessMachineService.StairClimberData>(),
            ValueCharacteristicProfile<FitnessMachineService.RowerData>(),
            ValueCharacteristicProfile<FitnessMachineService.IndoorBikeData>(),
            ValueCharacteristicProfile<FitnessMachineService.TrainingStatus>(),
            ValueCharacteristicProfile<FitnessMachineService.SupportedSpeedRange>(),
            ValueCharacteristicProfile<FitnessMachineService.SupportedInclinationRange>(),
            ValueCharacteristicProfile<FitnessMachineService.SupportedResistanceLevelRange>(),
            ValueCharacteristicProfile<FitnessMachineService.SupportedHeartRateRange>(),
            ValueCharacteristicProfile<FitnessMachineService.SupportedPowerRange>(),
            ValueCharacteristicProfile<FitnessMachineService.ControlPoint>(),
            ValueCharacteristicProfile<FitnessMachineService.Status>(),
        ]).profile
    }

    private static var locationAndNavigation: ServiceProfile {
        ConfiguredServiceProfile<LocationAndNavigationService>(characteristics: [
            ValueCharacteristicProfile<LocationAndNavigationService.LNFeature>(),
            ValueCharacteristicProfile<LocationAndNavigationService.LocationAndSpeed>(),
            ValueCharacteristicProfile<LocationAndNavigationService.PositionQuality>(),
            ValueCharacteristicProfile<LocationAndNavigationService.LNControlPoint>(),
            ValueCharacteristicProfile<LocationAndNavigationService.Navigation>(),
        ]).profile
    }

    private static var automationIO: ServiceProfile {
        ConfiguredServiceProfile<AutomationIOService>(characteristics: [
            RawCharacteristicProfile<AutomationIOService.Digital>(),
            RawCharacteristicProfile<AutomationIOService.Analog>(),
            RawCharacteristicProfile<AutomationIOService.Aggregate>(),
        ]).profile
    }

    private static var humanInterfaceDevice: ServiceProfile {
        ConfiguredServiceProfile<HumanInterfaceDeviceService>(characteristics: [
            ValueCharacteristicProfile<HumanInterfaceDeviceService.HIDInformation>(),
            RawCharacteristicProfile<HumanInterfaceDeviceService.ReportMap>(),
            RawCharacteristicProfile<HumanInterfaceDeviceService.HIDControlPoint>(),
            RawCharacteristicProfile<HumanInterfaceDeviceService.Report>(),
            RawCharacteristicProfile<HumanInterfaceDeviceService.ProtocolMode>(),
            ValueCharacteristicProfile<HumanInterfaceDeviceService.BootKeyboardInputReport>(),
            ValueCharacteristicProfile<HumanInterfaceDeviceService.BootKeyboardOutputReport>(),
            ValueCharacteristicProfile<HumanInterfaceDeviceService.BootMouseInputReport>(),
        ]).profile
    }
}
#endif
