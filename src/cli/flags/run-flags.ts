/** The words of `lull run`: its own options come first; the first word that is none begins the command, as does `--`. */

import { LullError } from '../../core/lull-error.ts'
import type { Stdin } from '../../run/child/piped-child.ts'
import { type PresetName, presetNames } from '../../run/step/presets.ts'
import type { ActAt } from '../../run/step/stuck-action-step.ts'
import type { OnStuck } from '../../run/stuck-action.ts'
import { readDuration } from './flag-values.ts'

export type RunFlags = {
  readonly words: readonly string[]
  readonly stdin?: Stdin
  readonly pty?: true
  readonly cwd?: string
  readonly preset?: PresetName
  /** ms. */
  readonly dwell?: number
  readonly onStuck?: OnStuck
  readonly actAt?: ActAt
  readonly json?: true
  readonly verdicts?: string
  readonly record?: string
}

const switches: Readonly<Record<string, Partial<RunFlags>>> = {
  '--pty': { pty: true },
  '--json': { json: true },
}

/** Each takes its value, and for `exec` the word after it. */
const valued: Readonly<Record<string, (value: string, next: () => string) => Partial<RunFlags>>> = {
  '--stdin': value => ({ stdin: oneOf('--stdin', value, ['null', 'inherit', 'open']) }),
  '--cwd': cwd => ({ cwd }),
  '--preset': value => ({ preset: oneOf('--preset', value, presetNames) }),
  '--dwell': value => ({ dwell: readDuration('--dwell', value) }),
  '--on-stuck': (value, next) => ({ onStuck: onStuck(value, next) }),
  '--act-at': value => ({ actAt: oneOf('--act-at', value, ['confirmed', 'likely']) }),
  '--verdicts': verdicts => ({ verdicts }),
  '--record': record => ({ record }),
}

/** @throws {LullError} USAGE for an option that is not known, and a value that is none */
export function readRunFlags(argv: readonly string[]): RunFlags {
  let flags: Partial<RunFlags> = {}
  let at = 0
  for (;;) {
    const word = argv[at]
    if (word === undefined || !word.startsWith('-') || word === '-') break
    at++
    if (word === '--') break
    const [name, given] = split(word)
    const next = (): string => {
      const value = argv[at++]
      if (value === undefined || value === '--') throw new LullError('USAGE', `${name} needs a value`)
      return value
    }
    const turn = switches[name]
    const read = valued[name]
    if (turn && given === undefined) flags = { ...flags, ...turn }
    else if (read) flags = { ...flags, ...read(given ?? next(), next) }
    else throw new LullError('USAGE', unknown(word))
  }
  return { ...flags, words: argv.slice(at) }
}

function split(word: string): readonly [string, string | undefined] {
  const end = word.indexOf('=')
  return end < 0 ? [word, undefined] : [word.slice(0, end), word.slice(end + 1)]
}

const unknown = (word: string): string =>
  `${word}: no such option of lull run; its own are ${[...Object.keys(valued), ...Object.keys(switches)].join(', ')}, and the command comes after --`

function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find(name => name === value)
  if (found !== undefined) return found
  throw new LullError('USAGE', `${option} ${value}: must be one of ${known.join(', ')}`)
}

/** `exec CMD` as two words, or as one. */
function onStuck(value: string, next: () => string): OnStuck {
  const [, command] = /^exec\s+(\S[\s\S]*)$/.exec(value) ?? []
  if (command !== undefined) return { type: 'exec', command }
  const type = oneOf('--on-stuck', value, ['notify', 'exec', 'term'])
  return type === 'exec' ? { type, command: next() } : { type }
}
