// The dictionary of a unit's state.

public import PropertyLists

/// A unit's state: the dictionary of a property list.
///
/// AUv3: the `[String: Any]` of `fullState`.
public typealias StateDictionary = [String: PropertyListValue]
