/// Numbers for people.
package enum Units {
    package static func bytes(_ count: UInt64) -> String {
        let names = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var value = Double(count)
        var index = 0
        while value >= 1024, index < names.count - 1 {
            value /= 1024
            index += 1
        }
        return index == 0 ? "\(count) bytes" : "\(decimal(value)) \(names[index])"
    }

    package static func seconds(_ duration: Duration) -> String { "\(decimal(duration / .seconds(1), places: 2)) s" }

    package static func decimal(_ value: Double, places: Int = 1) -> String {
        let scale = places == 2 ? 100.0 : 10.0
        let scaled = Int64((value * scale).rounded())
        let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
        let digits = String(fraction)
        return "\(whole)." + String(repeating: "0", count: max(0, places - digits.count)) + digits
    }
}
