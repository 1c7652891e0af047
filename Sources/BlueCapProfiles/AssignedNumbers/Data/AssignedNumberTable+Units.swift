// SPDX-License-Identifier: MIT

// Bluetooth SIG, assigned numbers, edition of June 2026 (company identifiers through 0x10AE). Written by
// Tests/Support/AssignedNumbers/generate.py.
// swift-format-ignore-file

extension AssignedNumberTable {
    /// Units.
    static var units: AssignedNumberTable {
        AssignedNumberTable(entries: #"""
2700unitless^2701length (metre)^2702mass (kilogram)^2703time (second)^2704electric current (ampere)^2705thermodynamic temperature (kelvin)^2706amount of substance (mole)^2707luminous intensity (candela)
2710area (square metres)^2711volume (cubic metres)^2712velocity (metres per second)^2713acceleration (metres per second squared)^2714wavenumber (reciprocal metre)^2715density (kilogram per cubic metre)^2716surface density (kilogram per square metre)^2717specific volume (cubic metre per kilogram)^2718current density (ampere per square metre)^2719magnetic field strength (ampere per metre)^271Aamount concentration (mole per cubic metre)^271Bmass concentration (kilogram per cubic metre)^271Cluminance (candela per square metre)^271Drefractive index^271Erelative permeability
2720plane angle (radian)^2721solid angle (steradian)^2722frequency (hertz)^2723force (newton)^2724pressure (pascal)^2725energy (joule)^2726power (watt)^2727electric charge (coulomb)^2728electric potential difference (volt)^2729capacitance (farad)^272Aelectric resistance (ohm)^272Belectric conductance (siemens)^272Cmagnetic flux (weber)^272Dmagnetic flux density (tesla)^272Einductance (henry)^272FCelsius temperature (degree Celsius)
2730luminous flux (lumen)^2731illuminance (lux)^2732activity referred to a radionuclide (becquerel)^2733absorbed dose (gray)^2734dose equivalent (sievert)^2735catalytic activity (katal)
2740dynamic viscosity (pascal second)^2741moment of force (newton metre)^2742surface tension (newton per metre)^2743angular velocity (radian per second)^2744angular acceleration (radian per second squared)^2745heat flux density (watt per square metre)^2746heat capacity (joule per kelvin)^2747specific heat capacity (joule per kilogram kelvin)^2748specific energy (joule per kilogram)^2749thermal conductivity (watt per metre kelvin)^274Aenergy density (joule per cubic metre)^274Belectric field strength (volt per metre)^274Celectric charge density (coulomb per cubic metre)^274Dsurface charge density (coulomb per square metre)^274Eelectric flux density (coulomb per square metre)^274Fpermittivity (farad per metre)
2750permeability (henry per metre)^2751molar energy (joule per mole)^2752molar entropy (joule per mole kelvin)^2753exposure (coulomb per kilogram)^2754absorbed dose rate (gray per second)^2755radiant intensity (watt per steradian)^2756radiance (watt per square metre steradian)^2757catalytic activity concentration (katal per cubic metre)
2760time (minute)^2761time (hour)^2762time (day)^2763plane angle (degree)^2764plane angle (minute)^2765plane angle (second)^2766area (hectare)^2767volume (litre)^2768mass (tonne)
2780pressure (bar)^2781pressure (millimetre of mercury)^2782length (ångström)^2783length (nautical mile)^2784area (barn)^2785velocity (knot)^2786logarithmic radio quantity (neper)^2787logarithmic radio quantity (bel)
27A0length (yard)^27A1length (parsec)^27A2length (inch)^27A3length (foot)^27A4length (mile)^27A5pressure (pound-force per square inch)^27A6velocity (kilometre per hour)^27A7velocity (mile per hour)^27A8angular velocity (revolution per minute)^27A9energy (gram calorie)^27AAenergy (kilogram calorie)^27ABenergy (kilowatt hour)^27ACthermodynamic temperature (degree Fahrenheit)^27ADpercentage^27AEper mille^27AFperiod (beats per minute)
27B0electric charge (ampere hours)^27B1mass density (milligram per decilitre)^27B2mass density (millimole per litre)^27B3time (year)^27B4time (month)^27B5concentration (count per cubic metre)^27B6irradiance (watt per square metre)^27B7milliliter (per kilogram per minute)^27B8mass (pound)^27B9metabolic equivalent^27BAstep (per minute)^27BCstroke (per minute)^27BDpace (kilometre per minute)^27BEluminous efficacy (lumen per watt)^27BFluminous energy (lumen hour)
27C0luminous exposure (lux hour)^27C1mass flow (gram per second)^27C2volume flow (litre per second)^27C3sound pressure (decibel)^27C4parts per million^27C5parts per billion^27C6mass density rate ((milligram per decilitre) per minute)^27C7Electrical Apparent Energy (kilovolt ampere hour)^27C8Electrical Apparent Power (volt ampere)^27C9Gravity (gₙ)
"""#, byName: """
2733 2754 2713 2732 271A 2706 2744 2743 27A8 2784 2766 2710 2729 2735 2757 272F 27B5 2718 2715 2734 2740 27B0 2727 274C 272B 2704 274B 274E 2728 272A 27C7 27C8 27A9 2725 27AA 27AB 274A 2753 2723 2722 27C9 2746 2745 2731 272E 27B6 27A3 27A2 2701 27A4 2783 27A1 27A0 2782 2787 2786 271C 27BE 27BF 27C0 2730 2707 2719 272C
272D 2702 27B8 2768 271B 27B1 27B2 27C6 27C1 27B9 27B7 2751 2752 2741 27BD 27C5 27C4 27AE 27AD 27AF 2750 274F 2763 2764 2720 2765 2726 2780 2781 2724 27A5 2756 2755 271D 271E 2721 27C3 2748 2747 2717 27BA 27BC 274D 2716 2742 2749 27AC 2705 2762 2761 2760 27B4 2703 27B3 2700 27A6 2785 2712 27A7 2711 2767 27C2 2714
""")
    }
}
