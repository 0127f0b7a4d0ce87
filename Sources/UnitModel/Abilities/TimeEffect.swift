// Units that consume more or fewer frames than they produce.

/// A unit that may need more or fewer input frames than it outputs. Its kernel is a
/// `TimeEffectKernel`, and its render resources are made by
/// `init(timeEffect:for:functions:render:reset:)`.
///
/// Its effect chain renders as many frames as the unit requests, on a separate timeline. Live input
/// cannot feed it, because its frames may be requested before they exist. It has one input bus.
///
/// AUv3: `AVAudioUnitTimeEffect`.
public protocol TimeEffect: AudioUnit {}
