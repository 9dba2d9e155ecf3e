/** What the API answers about recordings: which there are, how one was judged, and what its screen showed. */
import { z } from 'zod'
import { screenShape } from './api-shapes.ts'
import { sessionShape } from './session-shape.ts'

const words = z.string()
const seconds = z.number().min(0)
const fromStart = seconds.describe('seconds from the start of the recording')

export const recordingsShape = z.strictObject({
  folder: words.describe('where recordings are looked for'),
  recordings: z.array(
    z.strictObject({
      name: words.describe('of the file'),
      agent: words.optional().describe('as the recording names it'),
      session: words.optional().describe('id of the session that was recorded'),
      startedAt: z.iso.datetime().optional().describe('ISO time, UTC'),
      length: seconds.optional().describe('seconds; of a packed file it is known once it is opened'),
      bytes: z.number(),
      problem: words.optional().describe('why it is not played'),
    }),
  ),
  more: z.number().optional().describe('so many older ones are left out'),
})

const { state, after, health, cause, healthWhy, confidence } = sessionShape.shape

/** A change of the verdict. It holds until the next one. */
const changeShape = z.strictObject({
  ...{ at: fromStart, state, for: sessionShape.shape.for, doing: sessionShape.shape.doing, after },
  ...{ health, cause, healthWhy, confidence },
  why: words.describe('what it does, and why that is the verdict'),
  because: z.array(z.strictObject({ source: words, what: words })).describe('the evidence that decided'),
})

export const filmShape = z
  .strictObject({
    id: words.describe('of this film: its pieces are asked for by it'),
    agent: words,
    startedAt: z.iso.datetime().optional(),
    length: seconds,
    changes: z.array(changeShape),
    moreChanges: z.number().optional().describe('so many changes at the end are left out'),
    marks: z.array(z.strictObject({ at: fromStart, text: words })).describe('markers of the recording'),
    pieces: z
      .array(fromStart)
      .describe('where each piece of its pictures begins; empty: it recorded no screen'),
    grain: seconds.describe('pictures that followed each other faster than this are one'),
    skipped: z.number().describe('damaged lines'),
  })
  .describe('A recording, judged again')

const runs = screenShape.shape.cells.unwrap().element

export const picturesShape = z
  .strictObject({
    from: fromStart,
    until: fromStart.optional().describe('where the next piece begins'),
    pictures: z.array(
      z.strictObject({
        at: fromStart,
        height: z.number().describe('rows of the screen'),
        rows: z
          .array(z.strictObject({ row: z.number(), runs }))
          .describe('the rows that are drawn anew; all that are not blank in the first picture'),
      }),
    ),
  })
  .describe('What the screen showed, picture after picture')

export type RecordingRow = z.infer<typeof recordingsShape>['recordings'][number]
export type Film = z.infer<typeof filmShape>
export type FilmPiece = z.infer<typeof picturesShape>
export type FilmPicture = FilmPiece['pictures'][number]
