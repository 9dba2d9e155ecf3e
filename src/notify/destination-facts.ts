/** Facts about a destination before anything is sent: its kind, and what it lacks on this machine. */
import { lstatSync } from 'node:fs'
import { oneLine } from '../core/text/printable.ts'
import { attempt } from '../os/attempt.ts'
import type { Env } from '../os/file/places.ts'
import { readPlainText } from '../os/file/plain-file.ts'
import { isProgram, programOnPath } from '../os/spawn/find-program.ts'
import { desktopProgram } from './deliver/desktop.ts'
import type { Destination, NotifyRules } from './rules/notify-fields.ts'

/** Without what is secret in it. */
export function inWordsOf(to: Destination): string {
  switch (to.by) {
    case 'desktop':
      return 'desktop'
    case 'ntfy':
      return `ntfy at ${new URL(to.url).host}`
    case 'webhook':
      return `${to.format === 'slack' ? 'Slack' : 'webhook'} at ${new URL(to.url).host}`
    case 'terminal':
      return `${to.signal} to terminals`
    case 'command':
      return oneLine(`command ${to.words[0]}`, 100)
  }
}

/** As a clause; undefined where nothing is missing that can be seen from here. */
export function lackOf(to: Destination, env: Env, platform = process.platform): string | undefined {
  switch (to.by) {
    case 'ntfy':
    case 'webhook': {
      const { tokenFile: file } = to
      const isThere =
        file === undefined ||
        attempt(() => readPlainText(file, { most: 4096, isOwn: true }).trim() || undefined) !== undefined
      return isThere ? undefined : `its token can’t be read: ${oneLine(file, 200)}`
    }
    case 'desktop':
      return lackOfProgram(desktopProgram(platform), env)
    case 'terminal':
      return lackOfProgram('tmux', env)
    case 'command':
      return lackOfProgram(to.words[0] ?? '', env)
  }
}

function lackOfProgram(name: string, env: Env): string | undefined {
  if (name.includes('/')) return isProgram(name) ? undefined : `there is no program ${oneLine(name, 100)}`
  return programOnPath([name], env.PATH) === undefined ? `${oneLine(name, 100)} is not on PATH` : undefined
}

/** What is allowed, and seldom meant. */
export function warningsOf({ destinations, rules }: NotifyRules, file: string): readonly string[] {
  const unused = Object.keys(destinations).filter(name => !rules.some(({ to }) => to.includes(name)))
  const hasAddress = Object.values(destinations).some(({ by }) => by === 'ntfy' || by === 'webhook')
  const mode = attempt(() => lstatSync(file).mode) ?? 0
  return [
    ...unused.map(name => `${file}: no rule sends ${name} anything`),
    ...(hasAddress && (mode & 0o044) !== 0
      ? [`${file}: others may read it, and who knows an address can write to it: chmod 600`]
      : []),
  ]
}
