/** Facts about a destination before anything is sent: its kind, and what it lacks on this machine. */
import { lstatSync } from 'node:fs'
import { oneLine } from '../core/text/printable.ts'
import { attempt } from '../os/attempt.ts'
import type { Env } from '../os/file/places.ts'
import { readPlainText } from '../os/file/plain-file.ts'
import { isProgram, programOnPath } from '../os/spawn/find-program.ts'
import { desktopProgram } from './deliver/desktop.ts'
import { secretAt } from './deliver/post-transition.ts'
import type { Destination, TransitionsHook } from './rules/destination-fields.ts'
import type { NotifyRules } from './rules/notify-fields.ts'

/** All destinations of a file, by name. */
export const allOf = ({ destinations, transitions }: NotifyRules) => ({ ...destinations, ...transitions })

/** Without what is secret in it. */
export function inWordsOf(to: Destination | TransitionsHook): string {
  switch (to.by) {
    case 'desktop':
      return 'desktop'
    case 'ntfy':
      return `ntfy at ${new URL(to.url).host}`
    case 'webhook':
      return `${to.format === 'slack' ? 'Slack' : 'webhook'} at ${new URL(to.url).host}`
    case 'transitions':
      return `every transition to the webhook at ${new URL(to.url).host}`
    case 'terminal':
      return `${to.signal} to terminals`
    case 'page':
      return 'open pages of lull serve'
    case 'command':
      return oneLine(`command ${to.words[0]}`, 100)
  }
}

/** As a clause; undefined where nothing is missing that can be seen from here. */
export function lackOf(
  to: Destination | TransitionsHook,
  env: Env,
  platform = process.platform,
): string | undefined {
  switch (to.by) {
    case 'ntfy':
    case 'webhook':
      return lackOfToken(to.tokenFile)
    case 'transitions': {
      const secret = secretAt(to.secret, env)
      return typeof secret === 'object' ? secret.why : lackOfToken(to.tokenFile)
    }
    case 'desktop':
      return lackOfProgram(desktopProgram(platform), env)
    case 'terminal':
      return lackOfProgram('tmux', env)
    case 'page':
      return undefined
    case 'command':
      return lackOfProgram(to.words[0] ?? '', env)
  }
}

function lackOfToken(file: string | undefined): string | undefined {
  const isThere =
    file === undefined ||
    attempt(() => readPlainText(file, { most: 4096, isOwn: true }).trim() || undefined) !== undefined
  return isThere ? undefined : `its token can’t be read: ${oneLine(file, 200)}`
}

function lackOfProgram(name: string, env: Env): string | undefined {
  if (name.includes('/')) return isProgram(name) ? undefined : `there is no program ${oneLine(name, 100)}`
  return programOnPath([name], env.PATH) === undefined ? `${oneLine(name, 100)} is not on PATH` : undefined
}

/** What is allowed, and seldom meant. */
export function warningsOf(all: NotifyRules, file: string): readonly string[] {
  const { destinations, rules } = all
  const unused = Object.keys(destinations).filter(name => !rules.some(({ to }) => to.includes(name)))
  const hasAddress = Object.values(allOf(all)).some(to => 'url' in to)
  const mode = attempt(() => lstatSync(file).mode) ?? 0
  return [
    ...unused.map(name => `${file}: no rule sends ${name} anything`),
    ...(hasAddress && (mode & 0o044) !== 0
      ? [`${file}: others may read it, and who knows an address can write to it: chmod 600`]
      : []),
  ]
}
