/** What should stand in an agent's files: which events, which commands, and in which form. */
import path from 'node:path'
import type { HookedPlan, HookPlan, PlannedEvent } from '../../agents/kit/hook-plan.ts'
import type { Places } from '../../os/file/places.ts'
import { forwarderText } from '../forwarder.ts'
import { fileMark, hookCommand, hookProgram, isOurCommand, isOurFile } from '../hook-command.ts'
import { moduleText } from '../hook-module.ts'
import type { CliProgram } from './cli-program.ts'
import type { FileKind } from './edit-file.ts'
import { leftAsItIs } from './install-error.ts'
import type { Entries } from './settings-entries.ts'
import { hookPath, type InstallPlace, type Scope } from './settings-path.ts'

export type LeftOut = { readonly event: string; readonly why: string }

export type DesiredEvents = { readonly events: readonly string[]; readonly leftOut: readonly LeftOut[] }

/**
 * The events that the installed version knows. One that it does not know may make an older CLI stop at a dialog when it
 * starts, so where its list can't be read only those are taken that every version knows.
 */
export function desiredEvents(plan: HookPlan, program: CliProgram | undefined): DesiredEvents {
  const known = program?.events
  const why =
    program === undefined
      ? 'the CLI was not found, and not every version knows it'
      : known === undefined
        ? "the CLI's list of events could not be read, and not every version knows it"
        : `version ${program.version ?? 'installed'} does not know it`
  const isKnown = ({ name, isBase }: PlannedEvent) =>
    known === undefined ? isBase === true || plan.list === undefined : known.has(name)
  return {
    events: plan.events.filter(isKnown).map(({ name }) => name),
    leftOut: plan.events.filter(event => !isKnown(event)).map(({ name }) => ({ event: name, why })),
  }
}

/** What an agent's files should hold. */
export type Desired =
  | { readonly kind: 'entries'; readonly file: string; readonly entries: Entries }
  | { readonly kind: 'files'; readonly files: readonly OwnFile[] }

/** A file that is ours from its first to its last byte. */
export type OwnFile = {
  readonly file: string
  readonly text: string
  readonly mode: number
  /** The events that it is for. */
  readonly events: readonly string[]
  isOurs(text: string): boolean
}

export function desiredFiles(
  agent: HookedPlan,
  events: readonly string[],
  scope: Scope,
  where: InstallPlace,
): Desired {
  const { format, isSelfNaming, held } = agent.hooks
  const { forwarder, socket, hosts: notes } = where.places
  const file = hookPath(agent.hooks, scope, where)
  const isHeld = (event: string) => held?.events.includes(event) === true
  const command = (event: string) =>
    hookCommand(forwarder, agent.name, isSelfNaming && !isHeld(event) ? undefined : event)
  const commands = new Map(events.map(event => [event, command(event)]))
  const own = (text: string, isOurs = isOurFile): Desired => ({
    kind: 'files',
    files: [{ file, text, mode: 0o600, events, isOurs }],
  })
  switch (format.kind) {
    case 'entries': {
      const { group = {}, handler } = format
      const handlers = new Map(
        [...commands].map(([event, command]) => {
          return [event, { ...handler, command, ...(isHeld(event) ? held?.handler : {}) }]
        }),
      )
      return { kind: 'entries', file, entries: { handlers, group } }
    }
    case 'file':
      // Its format may have no room for a comment: it is ours while all its commands are.
      return own(format.text(commands), text => {
        const held = format.commandsIn(text)
        return held.length > 0 && held.every(isOurCommand)
      })
    case 'module': {
      const module = own(moduleText(agent, { socket, notes, events }))
      const { beside } = format
      // In a project it would change what others' npm does.
      if (!beside || scope === 'project' || module.kind !== 'files') return module
      return {
        kind: 'files',
        files: [...module.files, besideFile(path.join(path.dirname(file), beside.path), beside.lines)],
      }
    }
    case 'programs':
      return {
        kind: 'files',
        files: events.map(event => ({
          file: path.join(file, event),
          text: hookProgram(forwarder, agent.name, event),
          mode: 0o700,
          events: [event],
          isOurs: isOurFile,
        })),
      }
  }
}

const besideFile = (file: string, settings: readonly string[]): OwnFile => ({
  file,
  text: [`# ${fileMark}`, ...settings, ''].join('\n'),
  mode: 0o600,
  events: [],
  isOurs: isOurFile,
})

/** The forwarder, which all commands run. */
export const desiredForwarder = ({ forwarder, socket, hosts: notes }: Places): OwnFile => ({
  file: forwarder,
  text: forwarderText({ socket, notes }),
  mode: 0o700,
  events: [],
  isOurs: text => text.startsWith('#!/bin/sh\n# lull: '),
})

/** How lull edits a file that is its own: it leaves another program's file of that name alone. */
const alone: Pick<FileKind, 'isWhole' | 'merge'> = {
  isWhole: () => true,
  merge: (_base, _theirs, text) => text,
}

/** @throws {LullError} INSTALL_REFUSED at the edit, where somebody else's file has that name */
export const ownFileInstalled = ({ file, text: wanted, mode, isOurs }: OwnFile): FileKind => ({
  ...alone,
  mode,
  edit(text) {
    if (text === undefined || isOurs(text)) return wanted
    throw leftAsItIs(`${file} is there already and is not lull's`)
  },
})

export const ownFileRemoved = ({ mode, isOurs }: OwnFile): FileKind => ({
  ...alone,
  mode,
  edit: text => (text !== undefined && isOurs(text) ? undefined : text),
})
