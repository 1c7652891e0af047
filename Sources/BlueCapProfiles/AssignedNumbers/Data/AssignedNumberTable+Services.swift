// SPDX-License-Identifier: MIT

// Bluetooth SIG, assigned numbers, edition of June 2026 (company identifiers through 0x10AE). Written by
// Tests/Support/AssignedNumbers/generate.py.
// swift-format-ignore-file

extension AssignedNumberTable {
    /// GATT services.
    static var services: AssignedNumberTable {
        AssignedNumberTable(entries: #"""
1800GAP^1801GATT^1802Immediate Alert^1803Link Loss^1804Tx Power^1805Current Time^1806Reference Time Update^1807Next DST Change^1808Glucose^1809Health Thermometer^180ADevice Information^180DHeart Rate^180EPhone Alert Status^180FBattery
1810Blood Pressure^1811Alert Notification^1812Human Interface Device^1813Scan Parameters^1814Running Speed and Cadence^1815Automation IO^1816Cycling Speed and Cadence^1818Cycling Power^1819Location and Navigation^181AEnvironmental Sensing^181BBody Composition^181CUser Data^181DWeight Scale^181EBond Management^181FContinuous Glucose Monitoring
1820Internet Protocol Support^1821Indoor Positioning^1822Pulse Oximeter^1823HTTP Proxy^1824Transport Discovery^1825Object Transfer^1826Fitness Machine^1827Mesh Provisioning^1828Mesh Proxy^1829Reconnection Configuration
183AInsulin Delivery^183BBinary Sensor^183CEmergency Configuration^183DAuthorization Control^183EPhysical Activity Monitor^183FElapsed Time
1840Generic Health Sensor^1843Audio Input Control^1844Volume Control^1845Volume Offset Control^1846Coordinated Set Identification^1847Device Time^1848Media Control^1849Generic Media Control^184AConstant Tone Extension^184BTelephone Bearer^184CGeneric Telephone Bearer^184DMicrophone Control^184EAudio Stream Control^184FBroadcast Audio Scan
1850Published Audio Capabilities^1851Basic Audio Announcement^1852Broadcast Audio Announcement^1853Common Audio^1854Hearing Access^1855Telephony and Media Audio^1856Public Broadcast Announcement^1857Electronic Shelf Label^1858Gaming Audio^1859Mesh Proxy Solicitation^185AIndustrial Measurement Device^185BRanging^185CHID ISO^185DCookware^185EVoice Assistant^185FGeneric Voice Assistant
"""#, byName: """
1811 1843 184E 183D 1815 1851 180F 183B 1810 181B 181E 1852 184F 1853 184A 181F 185D 1846 1805 1818 1816 180A 1847 183F 1857 183C 181A 1826 1858 1800 1801 1840 1849 184C 185F 1808 1809 1854 180D 185C 1823 1812 1802 1821 185A 183A 1820 1803 1819 1848 1827 1828 1859 184D 1807 1825 180E 183E 1856 1850 1822 185B 1829 1806
1814 1813 184B 1855 1824 1804 181C 185E 1844 1845 181D
""")
    }
}
