// The store of a unit's parameter values, shared by both of its sides.

import Realtime

/// The values of a unit's parameters, in the order of its tree: the set value or, during a ramp,
/// the sounding one.
///
/// The control side stores set values. The kernel stores sounding values: a parameter event's value
/// when it is applied, and the ramp's value at the end of each call.
public typealias ParameterValues = AtomicFloats
