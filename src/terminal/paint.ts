/**
 * Paint: a terminal program that redraws by itself works. Measured on 8 CLIs: working screens repaint at least once a
 * second, idle ones not at all (docs/research/agents.md#what-repaints). What follows a key press is an echo and does
 * not count.
 */
import type { Sign } from '../core/evidence/signal.ts'
import type { Instant } from '../core/state.ts'

export type Paint = {
  /** First and last output of the present stretch. */
  readonly from: Instant
  readonly last: Instant
  readonly key: Instant
  readonly emitted: Instant
}

/** Before any output: a small integer, for V8 keeps every number in a box that is stored where it has seen an infinity. */
const never: Instant = -1e9

export const noPaint: Paint = { from: never, last: never, key: never, emitted: never }

/** Output within this time after a key is its echo. */
const echoMs = 400
/** The longest gap between two frames of a working screen was 1.0 s. */
const gapMs = 1300
/** A stretch is paint once it has lasted this long. */
const stretchMs = 1000
/** The sign is renewed at most this often: a stream of thousands of writes is one fact. */
const renewMs = 250

/** The slowest source (OpenCode's log: 1.5 s) reports a turn within this time after Enter. */
const enterMs = 3000

/** Updates after keys. After Enter a turn may have begun, so idle is not certain. */
export function keyPressed(
  paint: Paint,
  keys: string,
  at: Instant,
): { readonly paint: Paint; readonly sign?: Sign } {
  const next: Paint = { ...paint, key: at }
  if (!keys.includes('\r')) return { paint: next }
  return { paint: next, sign: { ...sign(at, at), source: 'keys', what: 'Enter was pressed', hold: enterMs } }
}

/** The paint after some output, and the sign that it gives, if it gives one now. */
export function painted(paint: Paint, at: Instant): { readonly paint: Paint; readonly sign?: Sign } {
  if (at < paint.key + echoMs) return { paint }
  const next: Paint = at > paint.last + gapMs ? { ...paint, from: at, last: at } : { ...paint, last: at }
  if (at < next.from + stretchMs || at < next.emitted + renewMs) return { paint: next }
  return { paint: { ...next, emitted: at }, sign: sign(next.from, at) }
}

const working: Sign['state'] = { kind: 'working' }
const nothing: Sign['excludes'] = []

const sign = (from: Instant, at: Instant): Sign => ({
  type: 'sign',
  source: 'paint',
  what: 'the screen repaints by itself',
  state: working,
  excludes: nothing,
  tier: 'inferred',
  lag: 0,
  hold: gapMs,
  since: from,
  seen: at,
  alive: true,
})
