/** `lull notify init`: a commented notify.yaml to begin with. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../../bin/make-folder.js'
import { notWritten } from '../../core/error-sentence.ts'
import { LullError } from '../../core/lull-error.ts'
import { hasCode } from '../../os/error-code.ts'
import type { Env } from '../../os/file/places.ts'
import { lackOf } from '../destination-facts.ts'
import { notifyFile } from './read-rules.ts'

export const sampleRules = `# Notifications when a session needs a person (docs/notify.md). lull notify test tries it, lull notify check reads it.
# The host sends them (lull host start). It rereads this file after each change.

to: # under names of your own
  desk: { desktop: true } # notify-send, or osascript on macOS
  # term: { terminal: osc9 } # where you are attached to tmux: bell, osc9 or osc777
  # phone: { ntfy: https://ntfy.sh/a-name-that-nobody-guesses, token_file: ~/.config/lull/ntfy-token }
  # team: { webhook: https://hooks.slack.com/services/…, format: slack } # without a format: plain JSON
  # fleet: { webhook: https://…, format: transitions, secret_file: ~/.config/lull/webhook-secret } # every state, signed
  # browser: { page: true } # pages of lull serve that are open
  # own: { command: [/usr/local/bin/tell-me] } # JSON on stdin, $LULL_NOTIFY_TITLE, $LULL_NOTIFY_TEXT

# Without rules, each destination gets: sessions that have waited for 10s, are stuck, failed or reached a limit, and
# finished turns of a minute or more.
# rules:
#   - { when: waiting, to: desk }
#   - { when: waiting, for: [permission, plan], after: 5m, folder: ~/work, to: phone, urgent: true }
#   - { when: done, lasted: 10m, to: phone }

# quiet: { from: "22:00", to: "07:00" } # messages wait until 07:00 and are sent as one; urgent ones are not held back
# digest: { more_than: 5, within: 30s } # more messages than this become one
`

const desk = '  desk: { desktop: true }'
const term = '  # term: { terminal: osc9 }'

/** For this machine: without a notifier, the terminal signals, if there is tmux. */
function sampleFor(env: Env): string {
  const lack = lackOf({ by: 'desktop' }, env)
  if (lack === undefined || lackOf({ by: 'terminal', signal: 'osc9' }, env) !== undefined) return sampleRules
  return sampleRules
    .replace(/^ {2}desk: .*$/m, () => `${desk.replace('desk', '# desk')} # ${lack}`)
    .replace(term, () => term.replace('# ', ''))
    .replace('when: waiting, to: desk', 'when: waiting, to: term')
}

/**
 * Writes it, for this user alone: its addresses are secrets.
 * @returns its path
 * @throws {LullError} USAGE where one is there, REFUSED_FILE
 */
export function initNotify(env: Env): string {
  const file = notifyFile(env)
  try {
    makeFolder(path.dirname(file), 0o700)
    writeFileSync(file, sampleFor(env), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (hasCode(error, 'EEXIST'))
      throw new LullError('USAGE', `${file} is there already: it is left as it is`)
    throw notWritten(error, file)
  }
  return file
}
