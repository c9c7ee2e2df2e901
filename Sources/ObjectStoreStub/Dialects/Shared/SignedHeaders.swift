// The headers of a request as they are signed, in order.

extension [(name: String, value: String)] {
    /// Changes the value of every header of this name.
    mutating func replace(_ name: String, _ change: (String) -> String) {
        for index in indices where self[index].name == name { self[index].value = change(self[index].value) }
    }
}
