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
  readonly hasDrawn: boolean
  /** A text was typed since the last Enter. */
  readonly isTyped: boolean
  /** The Enter that handed in a text, as long as nothing was drawn since. */
  readonly undrawn: Instant
}

/** Before any output: a small integer, for V8 keeps every number in a box that is stored where it has seen an infinity. */
const never: Instant = -1e9

export const noPaint: Paint = {
  from: never,
  last: never,
  key: never,
  emitted: never,
  hasDrawn: false,
  isTyped: false,
  undrawn: never,
}

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
/**
 * A program draws at once that it took a text (within 0.13 s in every recording). Until then it hangs, or its output no longer
 * comes through, and what shows idleness may be as old as the last output. ms
 */
const undrawnMs = 60_000

/** Arrows and the brackets around what is pasted. */
const sequences = /\u001b(?:\[[0-9;]{0,16}[A-Za-z~]|O.)/g
const isText = (keys: string): boolean => /[^\p{Cc}]/u.test(keys.replace(sequences, ''))
/** Ctrl-C, Ctrl-U and Esc leave no text to hand in. */
const isCleared = (keys: string): boolean => /^[\u0003\u0015\u001b]$/.test(keys)

/** Updates after keys. After Enter a turn may have begun, so idle is not certain. */
export function keyPressed(
  paint: Paint,
  keys: string,
  at: Instant,
): { readonly paint: Paint; readonly sign?: Sign } {
  const isTyped = isText(keys) || (paint.isTyped && !isCleared(keys))
  if (!keys.includes('\r')) return { paint: { ...paint, key: at, isTyped } }
  const isOwed = paint.hasDrawn && isTyped
  const next: Paint = { ...paint, key: at, isTyped: false, undrawn: isOwed ? at : never }
  return { paint: next, sign: enter(at, isOwed ? undrawnMs : enterMs) }
}

const enter = (at: Instant, hold: number): Sign => ({
  ...sign(at, at),
  source: 'keys',
  what: 'Enter was pressed',
  hold,
})

/** The paint after some output, and the sign that it gives, if it gives one now: first that Enter was drawn. */
export function painted(paint: Paint, at: Instant): { readonly paint: Paint; readonly sign?: Sign } {
  const drawn =
    paint.hasDrawn && paint.undrawn === never ? paint : { ...paint, hasDrawn: true, undrawn: never }
  const next = repainted(drawn, at)
  if (paint.undrawn === never) return next
  return { paint: { ...next.paint, emitted: paint.emitted }, sign: enter(paint.undrawn, enterMs) }
}

function repainted(paint: Paint, at: Instant): { readonly paint: Paint; readonly sign?: Sign } {
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
