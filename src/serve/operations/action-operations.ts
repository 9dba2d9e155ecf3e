/**
 * What clients may do, with a token that allows it: each action goes through the function that its command calls. One that has
 * begun goes on where its client is cut off: half a text would stay on the line.
 */
import path from 'node:path'
import { z } from 'zod'
import { nameTerminalAt } from '../../connect/name-terminal.ts'
import { sendAndWait } from '../../connect/send-and-wait.ts'
import { LullError } from '../../core/lull-error.ts'
import { redact } from '../../core/redact/redact.ts'
import { oneLine } from '../../core/text/printable.ts'
import { dialogJson } from '../../drive/dialog/dialog-json.ts'
import type { SendResult } from '../../drive/open-terminal.ts'
import { agentMs } from '../../drive/terminal-options.ts'
import { answerFields } from '../../drive/wait/answer-fields.ts'
import { homeFolder } from '../../sessions/caller-context.ts'
import { doneJson } from '../../sessions/wait/done-json.ts'
import { dialogShape } from '../../shapes/api-shapes.ts'
import type { ApiPorts } from '../api-ports.ts'
import type { AddAction } from './add-action.ts'

export function addActionOperations(action: AddAction, ports: ApiPorts): void {
  const { lull } = ports
  addTyping(action, ports)
  addTerminals(action, ports)

  action(
    {
      what: 'seen',
      path: '/v1/sessions/{id}/seen',
      summary: 'A person has looked at it: done becomes idle',
      body: z.strictObject({}),
      text: () => '',
    },
    async ({ id }) => {
      const { id: session } = await lull.find(id)
      await lull.markSeen([session])
      return { confirmed: (await lull.find(session)).isSeen }
    },
  )
}

/** Of `send`. */
const mostWaitMs = 600_000

const shown = (text: string): string => oneLine(redact(text.slice(0, 2000)), 200)

/** Characters that are typed one by one may be a password. */
const named = (key: string): string => (Array.from(key).length === 1 ? '·' : key)

/** Of a choice: a number as a number, too. */
const word = z.union([z.string().max(300), z.int().min(0).max(99).transform(String)])

function addTyping(action: AddAction, { lull, clock }: ApiPorts): void {
  action(
    {
      what: 'send',
      path: '/v1/sessions/{id}/send',
      summary: 'Types a text and presses Enter; waits for what comes of it where asked to',
      body: z.strictObject({
        text: z.string().max(200_000),
        enter: z.boolean().default(true),
        clear: z.boolean().default(false).describe('clears what stands on the line first'),
        append: z.boolean().default(false).describe('types behind what stands on the line'),
        wait: z
          .number()
          .min(0)
          .max(600)
          .optional()
          .describe('seconds to wait for the end of the turn or command'),
        ready: z
          .union([z.literal(true), z.number().min(0).max(600)])
          .optional()
          .describe('instead of wait: seconds until the terminal is ready, or true for the usual time'),
      }),
      text: ({ text }) => shown(text),
      effect: sentEffect,
      lasts: ({ body: { wait, ready } }) =>
        ready === true ? mostWaitMs : 1000 * (ready ?? wait ?? agentMs / 1000),
    },
    async ({ id, body: { text, wait, ready, ...typing } }) => {
      await using terminal = await lull.terminal(id)
      if (ready !== undefined) {
        const ms = ready === true ? {} : { timeout: ready * 1000 }
        return waitedFields(await terminal.send(text, { ...typing, wait: ms }))
      }
      if (wait === undefined) return sentFields(await terminal.send(text, typing))
      const begun = clock.now()
      const agent = await terminal.agent(Math.min(wait * 1000, agentMs))
      const timeout = Math.max(0, wait * 1000 - (clock.now() - begun))
      if (!agent) {
        return waitedFields(await terminal.send(text, { ...typing, wait: { timeout } }))
      }
      const { done, sent, message } = await sendAndWait({ lull, agent, terminal }, text, typing, { timeout })
      return { ...(sent ? sentFields(sent) : { confirmed: false }), ...doneJson(done, clock), message }
    },
  )

  action(
    {
      what: 'keys',
      path: '/v1/sessions/{id}/keys',
      summary: 'Presses keys; nothing is refused but what can’t be pressed',
      body: z.strictObject({
        keys: z.array(z.string().max(40)).min(1).max(100).describe('C-c, Up, Enter, y'),
      }),
      text: ({ keys }) => shown(keys.map(named).join(' ')),
      effect: { pressed: z.array(z.string()).optional() },
    },
    async ({ id, body: { keys } }) => {
      await using terminal = await lull.terminal(id)
      await terminal.keys(keys)
      // What a program makes of a key shows on its screen alone.
      return { confirmed: false, pressed: keys }
    },
  )

  action(
    {
      what: 'answer',
      path: '/v1/sessions/{id}/answer',
      summary:
        'Chooses an option of the dialog that is shown; nothing is pressed where another one is shown by then',
      body: z
        .strictObject({
          dialog: z.string().min(1).max(40).describe('id of the dialog that is meant (GET /v1/sessions/ID)'),
          choice: z
            .union([word, z.array(word).min(1).max(50)])
            .optional()
            .describe('yes, no, always, a number or an option’s text'),
          text: z.string().max(2000).optional().describe('instead: an answer of one’s own'),
          full: z.boolean().default(false).describe('with the dialogs as the library has them'),
        })
        .refine(
          ({ choice, text }) => (choice === undefined) !== (text === undefined),
          'give either choice or text',
        ),
      text: ({ choice, text, dialog }) => shown(`${[choice ?? text].flat().join(', ')} (dialog ${dialog})`),
      effect: {
        dialog: z.string().describe('id of the dialog that was answered'),
        chosen: z.array(z.string()).describe('the labels that were chosen, or the text'),
        next: dialogShape.optional().describe('what it asks instead'),
      },
      isStaged: true,
    },
    async ({ id, body: { dialog: expected, choice = [], text, full } }, _session, onGiven) => {
      await using terminal = await lull.terminal(id)
      const options = { dialog: expected, onGiven, ...(text === undefined ? {} : { text }) }
      const { dialog, chosen, isGone, next } = await terminal.answer(choice, options)
      return {
        confirmed: isGone,
        ...{ dialog: dialog.id, chosen },
        ...(next ? { next: dialogJson(next) } : {}),
        ...(full ? { shown: { dialog, next } } : {}),
      }
    },
  )
}

const sentEffect = {
  bytes: z.number().optional(),
  entered: z.boolean().optional().describe('Enter was pressed'),
  read: z.boolean().optional().describe('the program has read it'),
  outcome: z.string().optional().describe('of a wait: as /v1/wait has it'),
  took: z.number().optional().describe('of a wait until the terminal is ready: seconds'),
}

const sentFields = ({ bytes, isEntered, isRead }: SendResult) => ({
  confirmed: isRead,
  ...{ bytes, entered: isEntered, read: isRead },
})

const waitedFields = (sent: SendResult) => ({
  ...sentFields(sent),
  ...(sent.answer ? answerFields(sent.answer) : {}),
  ...(sent.rows ? { new: sent.rows } : {}),
  ...(sent.took === undefined ? {} : { took: sent.took / 1000 }),
})

function addTerminals(action: AddAction, { lull }: ApiPorts): void {
  action(
    {
      what: 'name',
      path: '/v1/sessions/{id}/name',
      summary: 'Names a tmux pane, so that it is followed from then on',
      body: z.strictObject({ name: z.string().max(100) }),
      text: ({ name }) => shown(name),
      effect: { name: z.string() },
    },
    async ({ id, body: { name } }) => {
      const named = await nameTerminalAt(id, name, { sessions: () => lull.sessions() })
      return { confirmed: true, name, ...named }
    },
  )

  action(
    {
      what: 'open',
      path: '/v1/open',
      summary: 'Opens a terminal of lull’s own that runs a program',
      body: z.strictObject({
        name: z.string().max(100),
        words: z.array(z.string().max(100_000)).max(1000).optional().describe('default: your shell'),
        cwd: z.string().max(4096).optional().describe('absolute; default: your home folder'),
        size: z
          .strictObject({
            columns: z.number().int().min(2).max(1000),
            rows: z.number().int().min(2).max(1000),
          })
          .optional(),
        env: z.record(z.string(), z.string()).optional().describe('more variables of its environment'),
      }),
      text: ({ name, words = [] }) => shown([name, ...words].join(' ')),
      effect: {
        name: z.string(),
        pid: z.number(),
        id: z.string().optional().describe('its session, once it is found'),
      },
    },
    async ({ body: { name, words, cwd, size, env } }) => {
      if (cwd !== undefined && !path.isAbsolute(cwd))
        throw new LullError(
          'USAGE',
          'cwd is a relative path, and the host has another folder: give it from / on',
        )
      await using terminal = await lull.open(name, {
        cwd: cwd ?? homeFolder(),
        ...(words ? { words } : {}),
        ...(size ? { size } : {}),
        ...(env ? { env } : {}),
      })
      const { pid } = terminal.pane
      const id = (await lull.sessions()).find(live => live.terminal === name)?.id
      return { confirmed: true, name, pid, ...(id === undefined ? {} : { id }) }
    },
  )

  action(
    {
      what: 'close',
      path: '/v1/sessions/{id}/close',
      summary: 'Hangs up what runs in a terminal of lull’s own',
      body: z.strictObject({ force: z.boolean().default(false).describe('kills what ignores the hangup') }),
      text: ({ force }) => (force ? 'force' : ''),
      effect: { code: z.number().optional(), signal: z.string().optional() },
    },
    async ({ id, body: { force } }, session) => ({
      confirmed: true,
      ...(await lull.end(session?.terminal ?? id, { force })),
    }),
  )
}
