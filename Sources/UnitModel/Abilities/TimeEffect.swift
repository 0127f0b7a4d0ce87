// Units whose input has other frames than their output.

/// A unit that may need more or fewer frames of input than it puts out: its kernel is a
/// `TimeEffectKernel`, and its render resources are made by
/// `init(timeEffect:for:functions:render:reset:)`.
///
/// What feeds it renders as many frames as it asks for, on a timeline of their own. That cannot be
/// live input: nobody has its frames before they have come. It has one input bus.
///
/// AUv3: `AVAudioUnitTimeEffect`.
public protocol TimeEffect: AudioUnit {}
