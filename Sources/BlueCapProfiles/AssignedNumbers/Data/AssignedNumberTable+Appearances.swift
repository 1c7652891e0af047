// SPDX-License-Identifier: MIT

// Bluetooth SIG, assigned numbers, edition of June 2026 (company identifiers through 0x10AE). Written by
// Tests/Support/AssignedNumbers/generate.py.
// swift-format-ignore-file

extension AssignedNumberTable {
    /// Appearances.
    static var appearances: AssignedNumberTable {
        AssignedNumberTable(entries: #"""
0000Unknown
0040Phone
0080Computer^0081Desktop Workstation^0082Server-class Computer^0083Laptop^0084Handheld PC/PDA (clamshell)^0085Palm-size PC/PDA^0086Wearable computer (watch size)^0087Tablet^0088Docking Station^0089All in One^008ABlade Server^008BConvertible^008CDetachable^008DIoT Gateway^008EMini PC^008FStick PC
00C0Watch^00C1Sports Watch^00C2Smartwatch
0100Clock
0140Display
0180Remote Control
01C0Eye-glasses
0200Tag
0240Keyring
0280Media Player
02C0Barcode Scanner
0300Thermometer^0301Ear Thermometer
0340Heart Rate Sensor^0341Heart Rate Belt
0380Blood Pressure^0381Arm Blood Pressure^0382Wrist Blood Pressure
03C0Human Interface Device^03C1Keyboard^03C2Mouse^03C3Joystick^03C4Gamepad^03C5Digitizer Tablet^03C6Card Reader^03C7Digital Pen^03C8Barcode Scanner^03C9Touchpad^03CAPresentation Remote
0400Glucose Meter
0440Running Walking Sensor^0441In-Shoe Running Walking Sensor^0442On-Shoe Running Walking Sensor^0443On-Hip Running Walking Sensor
0480Cycling^0481Cycling Computer^0482Speed Sensor^0483Cadence Sensor^0484Power Sensor^0485Speed and Cadence Sensor
04C0Control Device^04C1Switch^04C2Multi-switch^04C3Button^04C4Slider^04C5Rotary Switch^04C6Touch Panel^04C7Single Switch^04C8Double Switch^04C9Triple Switch^04CABattery Switch^04CBEnergy Harvesting Switch^04CCPush Button^04CDDial
0500Network Device^0501Access Point^0502Mesh Device^0503Mesh Network Proxy
0540Sensor^0541Motion Sensor^0542Air quality Sensor^0543Temperature Sensor^0544Humidity Sensor^0545Leak Sensor^0546Smoke Sensor^0547Occupancy Sensor^0548Contact Sensor^0549Carbon Monoxide Sensor^054ACarbon Dioxide Sensor^054BAmbient Light Sensor^054CEnergy Sensor^054DColor Light Sensor^054ERain Sensor^054FFire Sensor
0550Wind Sensor^0551Proximity Sensor^0552Multi-Sensor^0553Flush Mounted Sensor^0554Ceiling Mounted Sensor^0555Wall Mounted Sensor^0556Multisensor^0557Energy Meter^0558Flame Detector^0559Vehicle Tire Pressure Sensor
0580Light Fixtures^0581Wall Light^0582Ceiling Light^0583Floor Light^0584Cabinet Light^0585Desk Light^0586Troffer Light^0587Pendant Light^0588In-ground Light^0589Flood Light^058AUnderwater Light^058BBollard with Light^058CPathway Light^058DGarden Light^058EPole-top Light^058FSpotlight
0590Linear Light^0591Street Light^0592Shelves Light^0593Bay Light^0594Emergency Exit Light^0595Light Controller^0596Light Driver^0597Bulb^0598Low-bay Light^0599High-bay Light
05C0Fan^05C1Ceiling Fan^05C2Axial Fan^05C3Exhaust Fan^05C4Pedestal Fan^05C5Desk Fan^05C6Wall Fan
0600HVAC^0601Thermostat^0602Humidifier^0603De-humidifier^0604Heater^0605Radiator^0606Boiler^0607Heat Pump^0608Infrared Heater^0609Radiant Panel Heater^060AFan Heater^060BAir Curtain
0640Air Conditioning
0680Humidifier
06C0Heating^06C1Radiator^06C2Boiler^06C3Heat Pump^06C4Infrared Heater^06C5Radiant Panel Heater^06C6Fan Heater^06C7Air Curtain
0700Access Control^0701Access Door^0702Garage Door^0703Emergency Exit Door^0704Access Lock^0705Elevator^0706Window^0707Entrance Gate^0708Door Lock^0709Locker
0740Motorized Device^0741Motorized Gate^0742Awning^0743Blinds or Shades^0744Curtains^0745Screen
0780Power Device^0781Power Outlet^0782Power Strip^0783Plug^0784Power Supply^0785LED Driver^0786Fluorescent Lamp Gear^0787HID Lamp Gear^0788Charge Case^0789Power Bank
07C0Light Source^07C1Incandescent Light Bulb^07C2LED Lamp^07C3HID Lamp^07C4Fluorescent Lamp^07C5LED Array^07C6Multi-Color LED Array^07C7Low voltage halogen^07C8Organic light emitting diode (OLED)
0800Window Covering^0801Window Shades^0802Window Blinds^0803Window Awning^0804Window Curtain^0805Exterior Shutter^0806Exterior Screen
0840Audio Sink^0841Standalone Speaker^0842Soundbar^0843Bookshelf Speaker^0844Standmounted Speaker^0845Speakerphone
0880Audio Source^0881Microphone^0882Alarm^0883Bell^0884Horn^0885Broadcasting Device^0886Service Desk^0887Kiosk^0888Broadcasting Room^0889Auditorium
08C0Motorized Vehicle^08C1Car^08C2Large Goods Vehicle^08C32-Wheeled Vehicle^08C4Motorbike^08C5Scooter^08C6Moped^08C73-Wheeled Vehicle^08C8Light Vehicle^08C9Quad Bike^08CAMinibus^08CBBus^08CCTrolley^08CDAgricultural Vehicle^08CECamper / Caravan^08CFRecreational Vehicle / Motor Home
0900Domestic Appliance^0901Refrigerator^0902Freezer^0903Oven^0904Microwave^0905Toaster^0906Washing Machine^0907Dryer^0908Coffee maker^0909Clothes iron^090ACurling iron^090BHair dryer^090CVacuum cleaner^090DRobotic vacuum cleaner^090ERice cooker^090FClothes steamer
0940Wearable Audio Device^0941Earbud^0942Headset^0943Headphones^0944Neck Band^0945Left Earbud^0946Right Earbud
0980Aircraft^0981Light Aircraft^0982Microlight^0983Paraglider^0984Large Passenger Aircraft
09C0AV Equipment^09C1Amplifier^09C2Receiver^09C3Radio^09C4Tuner^09C5Turntable^09C6CD Player^09C7DVD Player^09C8Bluray Player^09C9Optical Disc Player^09CASet-Top Box
0A00Display Equipment^0A01Television^0A02Monitor^0A03Projector
0A40Hearing aid^0A41In-ear hearing aid^0A42Behind-ear hearing aid^0A43Cochlear Implant
0A80Gaming^0A81Home Video Game Console^0A82Portable handheld console
0AC0Signage^0AC1Digital Signage^0AC2Electronic Label
0C40Pulse Oximeter^0C41Fingertip Pulse Oximeter^0C42Wrist Worn Pulse Oximeter
0C80Weight Scale
0CC0Personal Mobility Device^0CC1Powered Wheelchair^0CC2Mobility Scooter
0D00Continuous Glucose Monitor
0D40Insulin Pump^0D41Insulin Pump, durable pump^0D44Insulin Pump, patch pump^0D48Insulin Pen
0D80Medication Delivery
0DC0Spirometer^0DC1Handheld Spirometer
1440Outdoor Sports Activity^1441Location Display^1442Location and Navigation Display^1443Location Pod^1444Location and Navigation Pod
1480Industrial Measurement Device^1481Torque Testing Device^1482Caliper^1483Dial Indicator^1484Micrometer^1485Height Gauge^1486Force Gauge
14C0Industrial Tools^14C1Machine Tool Holder^14C2Generic Clamping Device^14C3Clamping Jaws/Jaw Chuck^14C4Clamping (Collet) Chuck^14C5Clamping Mandrel^14C6Vise^14C7Zero-Point Clamping System^14C8Torque Wrench^14C9Torque Screwdriver
1500Cookware Device^1501Pot and Jugs^1502Pressure Cooker^1503Slow Cooker^1504Steam Cooker^1505Saucepan^1506Frying Pan^1507Casserole^1508Dutch Oven^1509Grill Pan/Raclette Grill/Griddle Pan^150ABraising Pan^150BWok Pan^150CPaella Pan^150DCrepe Pan^150ETagine^150FFondue
1510Lid^1511Wired Probe^1512Wireless Probe^1513Baking Molds^1514Baking Tray
"""#, byName: """
08C3 08C7 0700 0701 0704 0501 08CD 0640 060B 06C7 0542 0980 0882 0089 054B 09C1 0381 0840 0880 0889 09C0 0742 05C2 1513 1514 02C0 03C8 04CA 0593 0A42 0883 008A 0743 0380 09C8 0606 06C2 058B 0843 150A 0885 0888 0597 08CB 04C3 0584 0483 1482 08CE 08C1 054A 0549 03C6 1507 09C6 05C1 0582 0554 0788 14C4 14C3 14C5 0100 0909
090F 0A43 0908 054D 0080 0548 0D00 04C0 008B 1500 150D 090A 0744 0480 0481 0603 05C5 0585 0081 008C 04CD 1483 03C7 0AC1 03C5 0140 0A00 0088 0900 0708 04C8 0907 1508 09C7 0301 0941 0AC2 0705 0703 0594 04CB 0557 054C 0707 05C3 0806 0805 01C0 05C0 060A 06C6 0C41 054F 0558 0589 0583 07C4 0786 0553 150F 1486 0902 1506 03C4
0A80 0702 058D 14C2 0400 1509 090B 0084 0DC1 0943 0942 0A40 0341 0340 0607 06C3 0604 06C0 1485 07C3 0787 0599 0A81 0884 03C0 0602 0680 0544 0600 0A41 0588 0441 07C1 1480 14C0 0608 06C4 0D48 0D40 0D41 0D44 008D 03C3 03C1 0240 0887 0083 08C2 0984 0545 07C5 0785 07C2 0945 1510 0981 0595 0596 0580 07C0 08C8 0590 1442 1444
1441 1443 0709 07C7 0598 14C1 0280 0D80 0502 0503 0982 1484 0881 0904 008E 08CA 0CC2 0A02 08C6 0541 08C4 0740 0741 08C0 03C2 07C6 0552 04C2 0556 0944 0500 0547 0443 0442 09C9 07C8 1440 0903 150C 0085 0983 058C 05C4 0587 0CC0 0040 0783 058E 0A82 1501 0789 0780 0781 0484 0782 0784 0CC1 03CA 1502 0A03 0551 0C40 04CC 08C9
0609 06C5 0605 06C1 09C3 054E 09C2 08CF 0901 0180 090E 0946 090D 04C5 0440 1505 08C5 0745 0540 0082 0886 09CA 0592 0AC0 04C7 04C4 1503 00C2 0546 0842 0845 0485 0482 0DC0 00C1 058F 0841 0844 1504 008F 0591 04C1 0087 0200 150E 0A01 0543 0300 0601 0905 14C9 1481 14C8 04C6 03C9 04C9 0586 08CC 09C4 09C5 058A 0000 090C 0559
14C6 05C6 0581 0555 0906 00C0 0940 0086 0C80 0550 0706 0803 0802 0800 0804 0801 1511 1512 150B 0382 0C42 14C7
""")
    }
}
