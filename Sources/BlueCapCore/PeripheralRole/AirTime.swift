/// An advertisement's time, and what the app was told of its being on the air.
struct AirTime {
    /// Ends it when its time is over.
    var deadline: DeadlineQueue<PeripheralManager.Action>.Token?
    /// Whether the last event says that it is on the air.
    var isToldOnAir = false
    /// Whether there was an event that says so.
    var wasOnAir = false
    /// Why it is wanted no more.
    var reason: AdvertisementEnd?
}
