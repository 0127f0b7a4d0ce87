// Where a unit's parameter values stand for both of its sides.

import Realtime

/// The values of a unit's parameters, in the order of its tree: what is set, and, while a parameter
/// ramps, what is sounding.
///
/// The control side stores what is set; the kernel stores what sounds: the value of each parameter
/// event when it is applied, and the ramp's value at the end of each call.
public typealias ParameterValues = AtomicFloats
