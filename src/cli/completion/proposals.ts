/** Proposals for the word at the cursor of a lull command line, read from the commands and the sessions. */
import path from 'node:path'
import type { Argument, Command, Option } from 'commander'
import { agentNames, hookedNames, mcpNames, skillNames } from '../../index.ts'
import { type CallerContext, matchSessions } from '../../sessions/address.ts'
import { shortFolder } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { stateOf } from '../ui/session-rows.ts'

/** Others choose names and folders, and the next Enter runs a proposal: only words without meaning to any shell are proposed. */
const harmless = /^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u

/** Each by the shortest word that matches it alone: its name, its folder's, or its id. */
export function sessionWords(sessions: readonly LiveSession[], caller: CallerContext): readonly Proposal[] {
  return sessions.map(session => {
    const { id, agent, name, cwd } = session
    const names = [name, cwd === undefined ? undefined : path.basename(cwd)]
    const word = names.find(
      text => text !== undefined && harmless.test(text) && matchSessions(text, sessions, caller).length === 1,
    )
    const folder = cwd === undefined ? '' : `, ${shortFolder(cwd, caller.home)}`
    return { word: word ?? id, about: `${agent}, ${stateOf(session)}${folder}` }
  })
}

export type Proposal = { readonly word: string; readonly about: string }

export type Proposals = {
  readonly words: readonly Proposal[]
  /** Proposals that depend on the machine: its sessions, lull's own terminals among them, or files, which the shell lists. */
  readonly also?: 'sessions' | 'terminals' | 'files'
  /** Each word begins with it: `--for=`. */
  readonly prefix?: string
}

const nothing: Proposals = { words: [] }

/** @param typed the words behind `lull`; the last is the one that is being typed */
export function proposalsFor(lull: Command, typed: readonly string[]): Proposals {
  const current = typed.at(-1) ?? ''
  const { command, path, count, awaiting, isOver } = read(lull, typed.slice(0, -1))
  if (isOver) return { words: [], also: 'files' }
  if (awaiting) return valuesOf(awaiting, path)
  const [, flag = '', value] = /^(--[^=]+)(=)/.exec(current) ?? []
  if (value !== undefined) {
    const option = optionOf(command, flag)
    return option ? { ...valuesOf(option, path), prefix: `${flag}=` } : nothing
  }
  if (current.startsWith('-')) return { words: optionsOf(command) }
  const argument = argumentAt(command, count)
  const values = argument ? argumentOf(argument, path) : nothing
  return { ...values, words: [...(count === 0 ? commandsOf(command) : []), ...values.words] }
}

type Read = {
  readonly command: Command
  readonly path: readonly string[]
  /** Number of complete arguments. */
  readonly count: number
  /** The option that takes the next word as its value. */
  readonly awaiting?: Option
  /** `--` was typed: what follows is another program's. */
  readonly isOver?: true
}

function read(lull: Command, words: readonly string[]): Read {
  let at: Read = { command: lull, path: [], count: 0 }
  for (const word of words) {
    // bash tears `--for=idle` apart.
    if (word === '=') continue
    const { awaiting, ...before } = at
    if (word === '--') return { ...before, isOver: true }
    const inner = at.count === 0 ? innerOf(at.command, word) : undefined
    if (awaiting) at = before
    else if (word.startsWith('-')) {
      const option = optionOf(at.command, word)
      at = option?.required ? { ...before, awaiting: option } : before
    } else if (inner) at = { command: inner, path: [...at.path, inner.name()], count: 0 }
    else at = { ...before, count: at.count + 1 }
  }
  return at
}

const innerOf = (command: Command, word: string): Command | undefined =>
  command.commands.find(inner => inner.name() === word || inner.aliases().includes(word))

const optionOf = (command: Command, word: string): Option | undefined =>
  command.options.find(({ long, short }) => word === long || word === short)

const commandsOf = (command: Command): readonly Proposal[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map(inner => ({ word: inner.name(), about: inner.description() }))

const optionsOf = (command: Command): readonly Proposal[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description }))

function argumentAt({ registeredArguments: all }: Command, count: number): Argument | undefined {
  const last = all.at(-1)
  return all[count] ?? (last?.variadic ? last : undefined)
}

const shells: readonly Proposal[] = ['bash', 'zsh', 'fish'].map(word => ({ word, about: '' }))
const goals = ['idle', 'settled', 'waiting', 'stuck', 'exited', 'ready', 'question', 'password']

function argumentOf(argument: Argument, path: readonly string[]): Proposals {
  const [first] = path
  switch (argument.name()) {
    case 'session':
      return { words: [], also: 'sessions' }
    case 'name':
      return first === 'attach' || first === 'close' ? { words: [], also: 'terminals' } : nothing
    case 'agent':
      return { words: agentsFor(first) }
    case 'shell':
      return { words: shells }
    case 'text':
    case 'keys':
    case 'choices':
    case 'args':
      return nothing
    default:
      return { words: [], also: 'files' }
  }
}

function valuesOf({ long, flags }: Option, path: readonly string[]): Proposals {
  if (long === '--agent') return { words: agentsFor(path[0]) }
  if (long === '--for' && !flags.includes('<time>'))
    return { words: goals.map(word => ({ word, about: '' })) }
  if (flags.includes('<sessions')) return { words: [], also: 'sessions' }
  return /<(?:file|folder|path|tmux)\b/.test(flags) ? { words: [], also: 'files' } : nothing
}

const known: Readonly<Record<string, readonly string[]>> = {
  hooks: hookedNames,
  mcp: mcpNames,
  skill: skillNames,
}

const agentsFor = (group = ''): readonly Proposal[] =>
  (known[group] ?? agentNames).map(word => ({ word, about: '' }))
