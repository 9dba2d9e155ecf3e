/**
 * Every number of docs/seeds.md#004 that lull uses, with its line there. Where the document contradicts itself, the choice is made
 * here and noted in docs/seeds.md.
 */

export type Preset = {
  readonly name: PresetName
  /** Output must have been silent for so long before anything is suspected, ms. */
  readonly silence: number
  /** Below so many percent of a processor, on average over the window, it does not compute. */
  readonly stuckCpu: number
  /** Below so many bytes in the window it reads and writes nothing. */
  readonly stuckIo: number
  /** So long without any activity makes a suspicion likely, ms. */
  readonly escalate: number
}

export type PresetName = 'conservative' | 'balanced' | 'aggressive'

export const presetNames = ['conservative', 'balanced', 'aggressive'] as const

export const presets: Readonly<Record<PresetName, Preset>> = {
  /** Lines 465–471, "Minimize False Positives"; the default, line 638: "Deploy with conservative thresholds". */
  conservative: {
    name: 'conservative',
    silence: 600_000,
    stuckCpu: 0.5,
    stuckIo: 10_240,
    escalate: 120_000,
  },
  /** Lines 483–489, "Production (Balanced)". */
  balanced: { name: 'balanced', silence: 300_000, stuckCpu: 0.5, stuckIo: 5120, escalate: 90_000 },
  /** Lines 474–480, "Faster Detection". */
  aggressive: { name: 'aggressive', silence: 300_000, stuckCpu: 1, stuckIo: 1024, escalate: 60_000 },
}

/** What holds whatever the preset. */
export const always = {
  /** ms between the samples of the history (lines 92, 262). */
  interval: 5000,
  /** Samples that are kept, 60 s of them; fewer are too few to judge by (lines 93, 274, 330). */
  samples: 12,
  /** More than so many percent of a processor is work (line 235). */
  busyCpu: 1,
  /** More than so many bytes a second are work (line 236). */
  busyIoPerSecond: 1024,
  /** Less than so many percent is none at all, for the fallback verdicts (lines 73, 81, 132, 245). */
  zeroCpu: 0.1,
  /** Fewer bytes than these in the window are none, for the fallback verdicts (lines 74, 82, 154, 246). */
  zeroIo: 1024,
  /** A connection that moved nothing for so long is no sign of work any more, ms (line 563). */
  quietConnection: 60_000,
  /** A likely one is of high certainty after so long, ms (lines 397–406). */
  highAfter: 60_000,
  /** A likely one is confirmed after so long, ms (lines 95, 250; the code of line 406 counts from the suspicion). */
  confirm: 600_000,
} as const

/** How long a proven closure must have held before it is acted upon, ms (docs/research/process.md#when-to-act). */
export const defaultDwell = 10_000
