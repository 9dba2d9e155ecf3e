/** What a library that is connected over HTTP reads of the API, besides sessions: part of `wire-shapes.ts`. */
import { z } from 'zod'
import type { WaitingFor } from '../core/state.ts'
import { instant } from './instant-shape.ts'

const [text, number, flag] = [z.string(), z.number(), z.boolean()]
const [someText, someNumber, mark] = [
  text.exactOptional(),
  number.exactOptional(),
  z.literal(true).exactOptional(),
]

const word = z.enum(['yes', 'no']).exactOptional()

/** `AskedRequest` of sessions/session-source.ts. */
export const askedRequest = z.object({
  ...{ id: text, tool: text, about: text, rows: z.array(text) },
  for: text as unknown as z.ZodType<WaitingFor>,
  input: z.record(text, z.unknown()),
  options: z.array(z.object({ label: text, word, number: someNumber })),
})

const option = z.object({
  ...{ label: text, number: someNumber, isPointed: flag, key: someText, word },
  ...{ isChecked: flag.exactOptional(), isBeside: mark, isSubmit: mark },
})

/** `ShownDialog` of drive/dialog/shown-dialog.ts. */
const shownDialog = z.object({
  ...{ id: text, for: text, rows: z.array(text), question: text },
  whole: z.enum(['yes', 'perhaps', 'no']),
  options: z.array(option),
  ...{ isScrolled: mark, isByLetters: mark },
  asked: askedRequest.exactOptional(),
})

export const remoteShapes = {
  shownDialog,
  /** The first line of `/v1/live`. `now`: the server's instant; `from`: what began later is a change. `beatMs`: it sends something at least so often. */
  liveGreeting: z.object({
    ...{ protocol: number, version: text, now: instant, from: instant, home: text },
    beatMs: number.min(1).max(600_000),
  }),
  /** Of a snapshot on `/v1/live`: when lull last typed into each session's terminal, by session id. */
  typedInstants: z.record(text, instant),
  apiError: z.object({
    error: z.object({ code: text, message: text, facts: z.looseObject({}).exactOptional() }),
  }),
  terminalState: z.object({
    pane: z.object({ socket: text, id: text, pid: z.int(), tty: text }),
    agent: someText,
    dialog: shownDialog.exactOptional(),
  }),
  screenRows: z.object({ rows: z.array(text) }),
  sentText: z.object({ bytes: number, entered: flag, read: flag }),
  sentWait: z.object({
    ...{ outcome: text, state: text, confidence: number, evidence: z.array(text), promptLine: text },
    ...{ exitCode: someNumber, signal: someText, pid: z.int(), screen: text },
    ...{ new: z.array(text).exactOptional(), took: someNumber },
  }),
  answeredDialog: z.object({
    ...{ chosen: z.array(text), confirmed: flag },
    shown: z.object({ dialog: shownDialog, next: shownDialog.exactOptional() }),
  }),
  endedTerminal: z.object({ code: someNumber, signal: someText }),
} as const
