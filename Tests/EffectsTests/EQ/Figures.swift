// Gains of filters from SciPy, by the formulas in the documentation.

import DSP

/// One band, and the gain of its analogue formula at some frequencies up to 0.45 of the rate, by
/// `scipy.signal.freqs` (1.17).
struct Figure: Sendable {
  let band: Equalizer.Band
  let rate: Double
  let hertz: [Double]
  let decibels: [Double]

  init(
    _ kind: EqualizerBandKind, rate: Double, _ frequency: Double, gain: Double, octaves: Double,
    hertz: [Double], decibels: [Double]
  ) {
    var band = Equalizer.Band()
    band.kind = kind
    band.frequencyHertz = frequency
    band.gainDecibels = gain
    band.bandwidthOctaves = octaves
    self.band = band
    self.rate = rate
    self.hertz = hertz
    self.decibels = decibels
  }

  static let all: [Figure] = [
    Figure(
      .parametric, rate: 44100, 2194.2, gain: 11.9, octaves: 2.74,
      hertz: [50.0, 1097.1, 2194.2, 3730.1, 13230.0, 19845.0],
      decibels: [0.04, 7.863, 11.9, 9.148, 1.759, 0.862]),
    Figure(
      .parametric, rate: 48000, 219.4, gain: 17.2, octaves: 0.3,
      hertz: [50.0, 109.7, 219.4, 373.0, 14400.0, 21600.0],
      decibels: [0.077, 0.556, 17.2, 0.963, 0.0, 0.0]),
    Figure(
      .parametric, rate: 96000, 61.8, gain: 13.0, octaves: 2.07,
      hertz: [50.0, 30.9, 61.8, 105.1, 28800.0, 43200.0],
      decibels: [11.82, 6.72, 13.0, 8.324, 0.0, 0.0]),
    Figure(
      .parametric, rate: 44100, 887.7, gain: -15.0, octaves: 0.31,
      hertz: [50.0, 443.9, 887.7, 1509.1, 13230.0, 19845.0],
      decibels: [-0.003, -0.46, -15.0, -0.802, -0.005, -0.002]),
    Figure(
      .parametric, rate: 48000, 260.3, gain: -2.8, octaves: 0.52,
      hertz: [50.0, 130.2, 260.3, 442.5, 14400.0, 21600.0],
      decibels: [-0.015, -0.157, -2.8, -0.272, -0.0, -0.0]),
    Figure(
      .parametric, rate: 96000, 1452.9, gain: 12.8, octaves: 3.93,
      hertz: [50.0, 726.5, 1452.9, 2469.9, 28800.0, 43200.0],
      decibels: [0.274, 10.565, 12.8, 11.413, 0.568, 0.262]),
    Figure(
      .lowPass, rate: 44100, 2157.6, gain: 0.0, octaves: 3.84,
      hertz: [50.0, 1078.8, 2157.6, 3667.9, 13230.0, 19845.0],
      decibels: [-0.0, -0.263, -3.01, -9.709, -31.507, -38.548]),
    Figure(
      .lowPass, rate: 48000, 207.3, gain: 0.0, octaves: 0.18,
      hertz: [50.0, 103.7, 207.3, 352.4, 14400.0, 21600.0],
      decibels: [-0.015, -0.264, -3.01, -9.709, -73.671, -80.714]),
    Figure(
      .lowPass, rate: 96000, 2041.1, gain: 0.0, octaves: 0.12,
      hertz: [50.0, 1020.5, 2041.1, 3469.9, 28800.0, 43200.0],
      decibels: [-0.0, -0.263, -3.01, -9.709, -45.981, -53.025]),
    Figure(
      .lowPass, rate: 44100, 73.7, gain: 0.0, octaves: 0.67,
      hertz: [50.0, 36.9, 73.7, 125.3, 13230.0, 19845.0],
      decibels: [-0.834, -0.265, -3.01, -9.71, -90.164, -97.207]),
    Figure(
      .lowPass, rate: 48000, 878.9, gain: 0.0, octaves: 2.95,
      hertz: [50.0, 439.4, 878.9, 1494.1, 14400.0, 21600.0],
      decibels: [-0.0, -0.263, -3.01, -9.709, -48.577, -55.621]),
    Figure(
      .lowPass, rate: 96000, 2247.0, gain: 0.0, octaves: 0.67,
      hertz: [50.0, 1123.5, 2247.0, 3819.9, 28800.0, 43200.0],
      decibels: [-0.0, -0.263, -3.01, -9.709, -44.312, -51.355]),
    Figure(
      .highPass, rate: 44100, 1048.7, gain: 0.0, octaves: 0.25,
      hertz: [50.0, 524.4, 1048.7, 1782.8, 13230.0, 19845.0],
      decibels: [-52.867, -12.303, -3.01, -0.491, -0.0, -0.0]),
    Figure(
      .highPass, rate: 48000, 64.2, gain: 0.0, octaves: 0.2,
      hertz: [50.0, 32.1, 64.2, 109.1, 14400.0, 21600.0],
      decibels: [-5.703, -12.304, -3.01, -0.492, -0.0, -0.0]),
    Figure(
      .highPass, rate: 96000, 3225.9, gain: 0.0, octaves: 0.21,
      hertz: [50.0, 1613.0, 3225.9, 5484.0, 28800.0, 43200.0],
      decibels: [-72.387, -12.304, -3.01, -0.491, -0.001, -0.0]),
    Figure(
      .highPass, rate: 44100, 503.7, gain: 0.0, octaves: 0.1,
      hertz: [50.0, 251.8, 503.7, 856.3, 13230.0, 19845.0],
      decibels: [-40.128, -12.308, -3.01, -0.491, -0.0, -0.0]),
    Figure(
      .highPass, rate: 48000, 7141.2, gain: 0.0, octaves: 0.18,
      hertz: [50.0, 3570.6, 7141.2, 12140.0, 14400.0, 21600.0],
      decibels: [-86.192, -12.304, -3.01, -0.491, -0.255, -0.052]),
    Figure(
      .highPass, rate: 96000, 280.1, gain: 0.0, octaves: 2.57,
      hertz: [50.0, 140.1, 280.1, 476.2, 28800.0, 43200.0],
      decibels: [-29.938, -12.299, -3.01, -0.491, -0.0, -0.0]),
    Figure(
      .resonantLowPass, rate: 44100, 1129.6, gain: 0.0, octaves: 2.28,
      hertz: [50.0, 564.8, 1129.6, 1920.3, 13230.0, 19845.0],
      decibels: [-0.009, -1.233, -4.861, -10.942, -42.779, -49.804]),
    Figure(
      .resonantLowPass, rate: 48000, 2386.9, gain: 0.0, octaves: 1.54,
      hertz: [50.0, 1193.5, 2386.9, 4057.7, 14400.0, 21600.0],
      decibels: [0.001, 0.578, -0.975, -8.567, -31.134, -38.226]),
    Figure(
      .resonantLowPass, rate: 96000, 101.6, gain: 0.0, octaves: 0.74,
      hertz: [50.0, 50.8, 101.6, 172.7, 28800.0, 43200.0],
      decibels: [1.942, 2.008, 5.704, -6.381, -98.1, -105.144]),
    Figure(
      .resonantLowPass, rate: 44100, 1116.6, gain: 0.0, octaves: 2.49,
      hertz: [50.0, 558.3, 1116.6, 1898.2, 13230.0, 19845.0],
      decibels: [-0.016, -1.794, -5.793, -11.626, -43.002, -50.015]),
    Figure(
      .resonantLowPass, rate: 48000, 480.3, gain: 0.0, octaves: 0.91,
      hertz: [50.0, 240.2, 480.3, 816.5, 14400.0, 21600.0],
      decibels: [0.075, 1.771, 3.859, -6.776, -59.066, -66.114]),
    Figure(
      .resonantLowPass, rate: 96000, 84.4, gain: 0.0, octaves: 0.42,
      hertz: [50.0, 42.2, 84.4, 143.5, 28800.0, 43200.0],
      decibels: [3.456, 2.337, 10.688, -5.823, -101.322, -108.366]),
    Figure(
      .resonantHighPass, rate: 44100, 385.4, gain: 0.0, octaves: 0.17,
      hertz: [50.0, 192.7, 385.4, 655.2, 13230.0, 19845.0],
      decibels: [-35.331, -9.569, 18.569, 3.64, 0.007, 0.003]),
    Figure(
      .resonantHighPass, rate: 48000, 6599.2, gain: 0.0, octaves: 0.41,
      hertz: [50.0, 3299.6, 6599.2, 11218.6, 14400.0, 21600.0],
      decibels: [-84.82, -9.697, 10.899, 3.412, 1.93, 0.811]),
    Figure(
      .resonantHighPass, rate: 96000, 16811.7, gain: 0.0, octaves: 0.88,
      hertz: [50.0, 8405.9, 16811.7, 28579.9, 28800.0, 43200.0],
      decibels: [-101.066, -10.226, 4.16, 2.514, 2.477, 1.089]),
    Figure(
      .resonantHighPass, rate: 44100, 1955.0, gain: 0.0, octaves: 1.05,
      hertz: [50.0, 977.5, 1955.0, 3323.5, 13230.0, 19845.0],
      decibels: [-63.683, -10.498, 2.569, 2.082, 0.137, 0.061]),
    Figure(
      .resonantHighPass, rate: 48000, 2949.1, gain: 0.0, octaves: 0.17,
      hertz: [50.0, 1474.5, 2949.1, 5013.5, 14400.0, 21600.0],
      decibels: [-70.826, -9.57, 18.569, 3.64, 0.369, 0.162]),
    Figure(
      .resonantHighPass, rate: 96000, 757.2, gain: 0.0, octaves: 0.24,
      hertz: [50.0, 378.6, 757.2, 1287.2, 28800.0, 43200.0],
      decibels: [-47.172, -9.596, 15.569, 3.593, 0.006, 0.003]),
    Figure(
      .bandPass, rate: 44100, 609.0, gain: 0.0, octaves: 0.14,
      hertz: [50.0, 304.5, 609.0, 1035.3, 13230.0, 19845.0],
      decibels: [-41.912, -23.798, 0.0, -21.211, -46.978, -50.51]),
    Figure(
      .bandPass, rate: 48000, 15787.2, gain: 0.0, octaves: 0.22,
      hertz: [50.0, 7893.6, 15787.2, 14400.0, 21600.0],
      decibels: [-66.313, -19.893, 0.0, -3.903, -12.656]),
    Figure(
      .bandPass, rate: 96000, 2870.6, gain: 0.0, octaves: 0.3,
      hertz: [50.0, 1435.3, 2870.6, 4880.0, 28800.0, 43200.0],
      decibels: [-48.803, -17.23, 0.0, -14.695, -33.569, -37.138]),
    Figure(
      .bandPass, rate: 44100, 9201.7, gain: 0.0, octaves: 1.15,
      hertz: [50.0, 4600.9, 9201.7, 15642.9, 13230.0, 19845.0],
      decibels: [-47.039, -6.394, 0.0, -4.542, -2.607, -7.226]),
    Figure(
      .bandPass, rate: 48000, 128.0, gain: 0.0, octaves: 2.26,
      hertz: [50.0, 64.0, 128.0, 217.6, 14400.0, 21600.0],
      decibels: [-4.098, -2.431, 0.0, -1.499, -36.254, -39.776]),
    Figure(
      .bandPass, rate: 96000, 13838.6, gain: 0.0, octaves: 2.81,
      hertz: [50.0, 6919.3, 13838.6, 23525.6, 28800.0, 43200.0],
      decibels: [-41.72, -1.573, 0.0, -0.933, -1.752, -4.018]),
    Figure(
      .bandStop, rate: 44100, 1595.1, gain: 0.0, octaves: 0.17,
      hertz: [50.0, 797.5, 1595.1, 2711.7, 13230.0, 19845.0],
      decibels: [-0.0, -0.027, -240.0, -0.049, -0.001, -0.0]),
    Figure(
      .bandStop, rate: 48000, 181.7, gain: 0.0, octaves: 3.07,
      hertz: [50.0, 90.8, 181.7, 308.9, 14400.0, 21600.0],
      decibels: [-1.98, -5.901, -240.0, -7.974, -0.005, -0.002]),
    Figure(
      .bandStop, rate: 96000, 1443.1, gain: 0.0, octaves: 0.19,
      hertz: [50.0, 721.5, 1443.1, 2453.3, 28800.0, 43200.0],
      decibels: [-0.0, -0.033, -240.0, -0.061, -0.0, -0.0]),
    Figure(
      .bandStop, rate: 44100, 9746.0, gain: 0.0, octaves: 1.07,
      hertz: [50.0, 4873.0, 9746.0, 16568.2, 13230.0, 19845.0],
      decibels: [-0.0, -0.99, -240.0, -1.661, -3.969, -0.938]),
    Figure(
      .bandStop, rate: 48000, 1594.9, gain: 0.0, octaves: 0.4,
      hertz: [50.0, 797.5, 1594.9, 2711.3, 14400.0, 21600.0],
      decibels: [-0.0, -0.147, -240.0, -0.264, -0.004, -0.002]),
    Figure(
      .bandStop, rate: 96000, 639.4, gain: 0.0, octaves: 0.24,
      hertz: [50.0, 319.7, 639.4, 1087.0, 28800.0, 43200.0],
      decibels: [-0.001, -0.053, -240.0, -0.096, -0.0, -0.0]),
    Figure(
      .lowShelf, rate: 44100, 74.7, gain: -4.7, octaves: 2.53,
      hertz: [50.0, 37.4, 74.7, 127.0, 13230.0, 19845.0],
      decibels: [-3.893, -4.411, -2.35, -0.52, -0.0, -0.0]),
    Figure(
      .lowShelf, rate: 48000, 1404.7, gain: 10.6, octaves: 0.33,
      hertz: [50.0, 702.4, 1404.7, 2388.0, 14400.0, 21600.0],
      decibels: [10.6, 9.845, 5.3, 1.328, 0.001, 0.0]),
    Figure(
      .lowShelf, rate: 96000, 69.4, gain: -28.4, octaves: 0.39,
      hertz: [50.0, 34.7, 69.4, 118.0, 28800.0, 43200.0],
      decibels: [-19.367, -24.188, -14.2, -6.158, -0.0, -0.0]),
    Figure(
      .lowShelf, rate: 44100, 121.7, gain: 5.5, octaves: 3.54,
      hertz: [50.0, 60.9, 121.7, 206.9, 13230.0, 19845.0],
      decibels: [5.338, 5.157, 2.75, 0.616, 0.0, 0.0]),
    Figure(
      .lowShelf, rate: 48000, 706.3, gain: 17.1, octaves: 0.69,
      hertz: [50.0, 353.1, 706.3, 1200.7, 14400.0, 21600.0],
      decibels: [17.099, 15.532, 8.55, 2.617, 0.0, 0.0]),
    Figure(
      .lowShelf, rate: 96000, 435.4, gain: 6.9, octaves: 0.88,
      hertz: [50.0, 217.7, 435.4, 740.2, 28800.0, 43200.0],
      decibels: [6.899, 6.458, 3.45, 0.792, 0.0, 0.0]),
    Figure(
      .highShelf, rate: 44100, 464.4, gain: 11.3, octaves: 0.68,
      hertz: [50.0, 232.2, 464.4, 789.5, 13230.0, 19845.0],
      decibels: [0.002, 0.824, 5.65, 9.857, 11.3, 11.3]),
    Figure(
      .highShelf, rate: 48000, 11262.8, gain: 20.4, octaves: 0.17,
      hertz: [50.0, 5631.4, 11262.8, 19146.8, 14400.0, 21600.0],
      decibels: [0.0, 2.161, 10.2, 16.92, 13.634, 17.941]),
    Figure(
      .highShelf, rate: 96000, 61.8, gain: 13.8, octaves: 1.61,
      hertz: [50.0, 30.9, 61.8, 105.1, 28800.0, 43200.0],
      decibels: [4.547, 1.105, 6.9, 11.903, 13.8, 13.8]),
    Figure(
      .highShelf, rate: 44100, 131.9, gain: 14.0, octaves: 0.47,
      hertz: [50.0, 66.0, 131.9, 224.2, 13230.0, 19845.0],
      decibels: [0.41, 1.133, 7.0, 12.06, 14.0, 14.0]),
    Figure(
      .highShelf, rate: 48000, 65.1, gain: 12.8, octaves: 1.02,
      hertz: [50.0, 32.5, 65.1, 110.7, 14400.0, 21600.0],
      decibels: [3.679, 0.981, 6.4, 11.093, 12.8, 12.8]),
    Figure(
      .highShelf, rate: 96000, 1150.7, gain: -17.8, octaves: 1.45,
      hertz: [50.0, 575.4, 1150.7, 1956.2, 28800.0, 43200.0],
      decibels: [-0.0, -1.683, -8.9, -15.012, -17.8, -17.8]),
    Figure(
      .resonantLowShelf, rate: 44100, 188.2, gain: -20.3, octaves: 0.38,
      hertz: [50.0, 94.1, 188.2, 319.9, 13230.0, 19845.0],
      decibels: [-22.238, -29.875, -10.15, 9.481, 0.005, 0.002]),
    Figure(
      .resonantLowShelf, rate: 48000, 440.1, gain: 1.0, octaves: 3.3,
      hertz: [50.0, 220.1, 440.1, 748.2, 14400.0, 21600.0],
      decibels: [0.964, 0.684, 0.5, 0.362, 0.003, 0.001]),
    Figure(
      .resonantLowShelf, rate: 96000, 425.1, gain: 21.4, octaves: 0.27,
      hertz: [50.0, 212.6, 425.1, 722.7, 28800.0, 43200.0],
      decibels: [21.779, 33.724, 10.7, -10.273, -0.006, -0.003]),
    Figure(
      .resonantLowShelf, rate: 44100, 775.6, gain: -2.2, octaves: 3.72,
      hertz: [50.0, 387.8, 775.6, 1318.5, 13230.0, 19845.0],
      decibels: [-2.159, -1.406, -1.1, -0.876, -0.034, -0.015]),
    Figure(
      .resonantLowShelf, rate: 48000, 1206.1, gain: 10.1, octaves: 2.73,
      hertz: [50.0, 603.0, 1206.1, 2050.4, 14400.0, 21600.0],
      decibels: [10.075, 7.706, 5.05, 2.947, 0.103, 0.046]),
    Figure(
      .resonantLowShelf, rate: 96000, 1698.8, gain: 17.4, octaves: 0.48,
      hertz: [50.0, 849.4, 1698.8, 2888.0, 28800.0, 43200.0],
      decibels: [17.417, 24.113, 8.7, -8.541, -0.068, -0.03]),
    Figure(
      .resonantHighShelf, rate: 44100, 642.0, gain: -26.3, octaves: 3.01,
      hertz: [50.0, 321.0, 642.0, 1091.4, 13230.0, 19845.0],
      decibels: [-0.452, -7.566, -13.15, -17.499, -26.119, -26.219]),
    Figure(
      .resonantHighShelf, rate: 48000, 713.5, gain: 21.4, octaves: 0.68,
      hertz: [50.0, 356.8, 713.5, 1213.0, 14400.0, 21600.0],
      decibels: [-0.119, -6.113, 10.7, 25.783, 21.459, 21.426]),
    Figure(
      .resonantHighShelf, rate: 96000, 254.6, gain: 6.5, octaves: 1.96,
      hertz: [50.0, 127.3, 254.6, 432.8, 28800.0, 43200.0],
      decibels: [0.029, 0.508, 3.25, 5.652, 6.5, 6.5]),
    Figure(
      .resonantHighShelf, rate: 44100, 3726.5, gain: 22.5, octaves: 1.02,
      hertz: [50.0, 1863.2, 3726.5, 6335.1, 13230.0, 19845.0],
      decibels: [-0.004, -2.717, 11.25, 23.269, 24.195, 23.267]),
    Figure(
      .resonantHighShelf, rate: 48000, 407.4, gain: -19.0, octaves: 0.43,
      hertz: [50.0, 203.7, 407.4, 692.6, 14400.0, 21600.0],
      decibels: [0.339, 8.102, -9.5, -28.278, -19.018, -19.008]),
    Figure(
      .resonantHighShelf, rate: 96000, 80.3, gain: 19.4, octaves: 0.22,
      hertz: [50.0, 40.1, 80.3, 136.5, 28800.0, 43200.0],
      decibels: [-10.941, -10.55, 9.7, 33.913, 19.4, 19.4]),
  ]
}
