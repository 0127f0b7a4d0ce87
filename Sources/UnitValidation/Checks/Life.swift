// Check of making, allocating and freeing units.

import UnitModel

func checkLife(_ trial: Trial) throws {
  let unit = try trial.make()
  let stimulus = Stimulus(unit, frames: 600, seed: 1)
  for maximum in [1024, 64, 1, 4096] {
    trial.doing("allocating for cycles of up to \(maximum) frames")
    try unit.setMaximumFramesToRender(maximum)
    try unit.allocateRenderResources()
    try unit.allocateRenderResources()
    try renderAndCompare(unit, stimulus, maximum, trial)
    trial.doing("deallocating after an allocation for up to \(maximum) frames")
    try unit.deallocateRenderResources()
  }
  trial.doing("freeing a unit that was never allocated")
  _ = try trial.make()
  trial.doing("freeing a unit while it sounds")
  let sounding = try trial.allocated()
  _ = try trial.host(sounding).run(Stimulus(sounding, frames: 256, seed: 2, hasGap: false))
  trial.doing("deallocating a unit that sounds, twice")
  try sounding.deallocateRenderResources()
  try sounding.deallocateRenderResources()
}

/// Frees its host on return, since a host keeps the resources.
private func renderAndCompare(
  _ unit: AudioUnit, _ stimulus: Stimulus, _ maximum: Int, _ trial: Trial
) throws {
  trial.doing("rendering after an allocation for up to \(maximum) frames")
  let host = try trial.host(unit)
  let lengths = CycleLengths.fixed(min(maximum, 256))
  let response = try host.run(stimulus, lengths)
  trial.expectSound(host, while: "allocated for up to \(maximum) frames")
  let expected = try trial.host(trial.allocated(maximumFrames: maximum)).run(stimulus, lengths)
  trial.expectEqual(
    response, expected, "allocated anew, for up to \(maximum) frames, it does not sound as fresh")
}
