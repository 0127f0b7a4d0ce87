// The plugins to compare effects with.

/// An effect of ours, and a plugin of the same family by another author. They do different work.
struct Peer {
  let component: String
  /// Values of our parameters by their names in a configuration.
  let settings: String
  /// An LV2 plugin of Debian's swh-lv2.
  let plugin: String
  /// Values of its control ports, as `jalv -c` takes them.
  let controls: [String]
  /// The symbols of its audio inputs, one for each channel.
  let inputs: [String]

  private init(
    _ component: String, _ settings: String, _ plugin: String, _ controls: [String],
    inputs: [String] = ["input"]
  ) {
    self.component = component
    self.settings = settings
    self.plugin = plugin
    self.controls = controls
    self.inputs = inputs
  }

  private static func swh(_ name: String) -> String { "http://plugin.org.uk/swh-plugins/\(name)" }

  static let all = [
    Peer(
      "filter", "cutoff = 2000", swh("svf"), ["filt_type=1", "filt_freq=2000", "filt_q=0.3"]),
    Peer(
      "eq",
      """
      bands.1.kind = "Low Shelf"
      bands.1.gain = 6
      bands.2.gain = -6
      bands.3.gain = 6
      bands.4.kind = "High Shelf"
      bands.4.gain = -6
      """, swh("triplePara"), ["gain_L=6", "gain_1=-6", "gain_2=6", "gain_3=-6", "gain_H=6"]),
    Peer("delay", "delay = 0.5", swh("fadDelay"), ["delay=0.5", "fb_db=-6"]),
    Peer(
      "compressor", "threshold = -20", swh("sc4"), ["threshold=-20", "ratio=4"],
      inputs: ["left_in", "right_in"]),
    Peer(
      "limiter", "ceiling = -12", swh("lookaheadLimiter"), ["limit=-12", "delay_s=0.005"],
      inputs: ["in_1", "in_2"]),
    Peer("gate", "threshold = -40", swh("gate"), ["threshold=-40"]),
    Peer("reverb", "decay = 1.5", swh("gverb"), ["revtime=1.5"]),
    Peer("chorus", "", swh("multivoiceChorus"), ["voices=3"]),
    Peer("distortion", "", swh("valve"), ["q_p=0.3", "dist_p=0.5"]),
    Peer(
      "comb", "delay = 10", swh("comb_n"), ["max_delay=0.5", "delay_time=0.01", "decay_time=1"],
      inputs: ["in"]),
  ]
}
