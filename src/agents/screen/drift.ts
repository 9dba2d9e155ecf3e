/** Whether a CLI is newer than the rules over its screens: what they say of it nobody has checked then. Pure. */

export type Drift = {
  /** Of the CLI that runs. */
  readonly version: string
  /** The version that the rules were checked on. */
  readonly checked: string
}

/** @returns undefined where it is not newer, or either is not known */
export function driftOf(version: string | undefined, checked: string | undefined): Drift | undefined {
  if (version === undefined || checked === undefined) return undefined
  const [now, then] = [partsOf(version), partsOf(checked)]
  for (let n = 0; n < 3; n++) {
    const difference = (now[n] ?? 0) - (then[n] ?? 0)
    if (difference !== 0) return difference > 0 ? { version, checked } : undefined
  }
  return undefined
}

/** What is before a release counts as that release. */
const partsOf = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number)
