/** The API over one session `one` that asks: its links, and what is pressed there. Nothing runs. */
import type { Lull } from '../../src/connect/connect.ts'
import type { ShownDialog } from '../../src/drive/dialog/shown-dialog.ts'
import type { History } from '../../src/history/open-history.ts'
import { createApi } from '../../src/serve/api.ts'
import { actionBook } from '../../src/serve/api-actions.ts'
import type { ApiPorts } from '../../src/serve/api-ports.ts'
import { answerLinks } from '../../src/serve/links/answer-links.ts'
import { fakeLive, news, permission, prompt } from './live.ts'

export const optionsOf = (...labels: readonly string[]): ShownDialog['options'] =>
  labels.map(label => ({ label, isPointed: false }))

export const dialogOf = (rows: readonly string[], more: Partial<ShownDialog> = {}): ShownDialog => ({
  for: 'permission',
  ...{ rows, whole: 'yes', id: rows.join('\n'), question: '' },
  options: optionsOf('Yes', 'No'),
  ...more,
})

/** @param host the value of `Host` by which it is called */
export async function answerPages(dialog: ShownDialog, host: string) {
  const { live, clock, file } = fakeLive()
  file('one', prompt(0), news(1, permission))
  const pressed: string[] = []
  const fails: { history?: string; press?: Error; look?: Error } = {}
  const terminal = {
    async dialog() {
      if (fails.look) throw fails.look
      return dialog
    },
    async answer(word: string) {
      if (fails.press) throw fails.press
      pressed.push(word)
      return { chosen: [word], isGone: true }
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  const lull = { terminal: async () => terminal, find: async () => undefined } as unknown as Lull
  const history = { tryAdd: () => fails.history, entries: () => [] } as unknown as History
  const links = answerLinks({ lull, changes: live.changes, clock })
  const complaints: string[] = []
  const ports = {
    ...{ lull, links, clock },
    actions: actionBook(
      () => history,
      () => 0,
    ),
    settings: { port: 1, listen: '127.0.0.1', readOnly: false },
    hosts: new Set([host]),
    tokens: { find: () => undefined },
    complain: (sentence: string) => complaints.push(sentence),
  }
  const app = createApi(ports as unknown as ApiPorts)
  const offered = await links.offer('one', 'ntfy')
  return { app, pressed, fails, complaints, page: offered?.page ?? '', options: offered?.options ?? [] }
}
