/// What was not as it must be, collected, so that it is kept for the table as well as reported by the test.
struct Findings {
    private(set) var problems: [String] = []

    mutating func expect(_ holds: Bool, _ problem: @autoclosure () -> String) {
        if !holds { problems.append(problem()) }
    }
}
