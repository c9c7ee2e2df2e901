/// How an object is to be written: its attributes, and what only one provider knows.
public struct ObjectOptions: Sendable, Hashable {
    /// What the object is to carry.
    public var attributes: ObjectAttributes
    /// Further request fields by the provider's own names, such as `x-tos-forbid-overwrite`. Not for secrets: they take
    /// part in the digest that a checkpoint keeps.
    public var extras: [String: String]

    /// Nothing asked for, unless it is given.
    public init(attributes: ObjectAttributes = ObjectAttributes(), extras: [String: String] = [:]) {
        self.attributes = attributes
        self.extras = extras
    }
}
