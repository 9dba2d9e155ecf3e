/** How often a state marker is found where none was said, or missed where one was. */
import { findMarker } from '../../src/loop/marker/marker.ts'
import { messages } from './marker-messages.ts'
import { rowCases } from './marker-rows.ts'

export type Score = {
  readonly name: string
  readonly said: number
  readonly shown: number
  /** Found where it was only shown. */
  readonly wrong: readonly string[]
  readonly missed: readonly string[]
}

type Case = { readonly what: string; readonly reports: string | null; readonly read: () => string | null }

const ofMessages: readonly Case[] = messages.map(({ what, text, prompt, reports }) => ({
  what,
  reports,
  read: () => findMarker(text, prompt)?.name ?? null,
}))
const ofRows: readonly Case[] = rowCases.map(({ agent, what, ...rest }) => ({
  what: `${agent}: ${what}`,
  ...rest,
}))

export const markerScores = (): Score[] => [
  score('final messages', ofMessages),
  score('rows of eight CLIs', ofRows),
]

/** What the only attempt at it did (docs/research/loops.md#the-earlier-attempt): the marker anywhere in the text. */
export function rivalScore(): Score {
  const anywhere = messages.map(({ what, text, reports }) => ({
    what,
    reports,
    read: () => /<!--\s*ralph:state\s+(\w+)/i.exec(text)?.[1]?.toLowerCase() ?? null,
  }))
  return score('final messages, searched for the text alone', anywhere)
}

function score(name: string, cases: readonly Case[]): Score {
  const read = cases.map(one => ({ ...one, found: one.read() }))
  const failures = (wanted: (one: (typeof read)[number]) => boolean): string[] =>
    read.filter(one => one.found !== one.reports && wanted(one)).map(({ what }) => what)
  return {
    name,
    said: cases.filter(({ reports }) => reports !== null).length,
    shown: cases.filter(({ reports }) => reports === null).length,
    wrong: failures(({ found }) => found !== null),
    missed: failures(({ found }) => found === null),
  }
}
