/** All terminals that this process holds, by their names. */
import { setTimeout as pause } from 'node:timers/promises'
import { type IPty, spawn } from '@lydell/node-pty'
import type { Clock } from '../core/clock.ts'
import { LullError } from '../core/lull-error.ts'
import { checkCommand, checkFolder } from '../os/spawn/command-errors.ts'
import { keepFromPrograms } from '../os/spawn/inherited-files.ts'
import { goesOnByCtrlQAlone } from '../os/tty/tty.ts'
import { type ClosedName, closedNames } from './closed-names.ts'
import { feedBudget } from './emulator/feed-budget.ts'
import { type HeldTerminal, holdTerminal } from './held-terminal.ts'
import type { OpenRequest, OwnedEnd, OwnedTerminal } from './terminal-messages.ts'

export type HeldTerminals = {
  /** @throws {LullError} NAME_TAKEN, NOT_FOUND, NOT_EXECUTABLE, NO_FOLDER, REFUSED_FILE */
  open(request: OpenRequest): Promise<OwnedTerminal>
  /** @throws {LullError} NO_SESSION */
  get(name: string): HeldTerminal
  list(): readonly OwnedTerminal[]
  /** Names of those that were closed, while they are kept, and for how long they still are: ms. */
  closed(): readonly ClosedName[]
  closedKeptFor(): number
  /** Gives such a name up. */
  forgetClosed(name: string): void
  /** @throws {LullError} NO_SESSION, STILL_RUNS */
  close(name: string, isForced: boolean): Promise<{ readonly end?: OwnedEnd }>
  closeAll(): Promise<void>
}

/** What it showed last can be read for so long after its program has ended: ms. */
const keptAfterEndMs = 10 * 60_000

/** Its end is reported a moment after the last of its processes is gone. ms */
const endMs = 500

/** A process has 1,024 files by default, and each terminal takes some. */
const mostTerminals = 250

/** @throws {LullError} NOT_FOUND, NOT_EXECUTABLE, NO_FOLDER */
function startProgram({ words: [file = '', ...args], cwd, env, columns, rows }: OpenRequest): IPty {
  checkFolder(cwd)
  checkCommand(file, cwd, env.PATH)
  const pty = spawn(file, args, {
    ...{ cwd, env: { ...env }, cols: columns, rows, name: env.TERM ?? 'xterm-256color' },
    // Bytes as they are: a character may be torn between two pieces.
    encoding: null,
  })
  // Its types know of no descriptor.
  const { fd } = pty as { readonly fd?: number }
  if (fd !== undefined) {
    // node-pty lets any key do that, which no terminal of a person's does.
    goesOnByCtrlQAlone(fd)
    // Else the programs of later terminals hold this one open, and it is not hung up where the server is killed.
    keepFromPrograms(fd)
  }
  return pty
}

const stillRuns = (name: string, survivors: readonly number[]): LullError =>
  new LullError(
    'STILL_RUNS',
    survivors.length === 1
      ? `${name} was hung up, and process ${survivors[0]} ignores it: lull close ${name} --force kills it`
      : `${name} was hung up, and processes ${survivors.join(', ')} ignore it: lull close ${name} --force kills them`,
  )

/**
 * @param onChange called when one was opened, has ended or is gone
 * @param before names that are kept of another server's
 */
export function heldTerminals(
  onChange: () => void,
  clock: Pick<Clock, 'now' | 'wall'>,
  before: readonly ClosedName[] = [],
): HeldTerminals {
  const byName = new Map<string, HeldTerminal>()
  const budget = feedBudget()
  const closed = closedNames(clock, before)

  function forget(name: string, pid: number): void {
    if (byName.get(name)?.describe().pid === pid) byName.delete(name)
    onChange()
  }

  /** Holds no more than the names until then: what a terminal showed takes megabytes. */
  function forgetLater(name: string, pid: number): void {
    setTimeout(() => forget(name, pid), keptAfterEndMs).unref()
  }

  function get(name: string): HeldTerminal {
    const found = byName.get(name)
    if (found) return found
    closed.check(name)
    const names = [...byName.keys()].slice(0, 8)
    const which = names.length > 0 ? `there is ${names.join(', ')}` : 'none is open'
    throw new LullError('NO_SESSION', `no terminal of lull’s own is called "${name}": ${which}`, {
      address: name,
    })
  }

  return {
    get,
    list: () => [...byName.values()].map(terminal => terminal.describe()),
    closed: closed.list,
    closedKeptFor: closed.keptFor,
    forgetClosed(name) {
      closed.forget(name)
      onChange()
    },
    async open(request) {
      const { name } = request
      const before = byName.get(name)?.describe()
      if (before && !before.end)
        throw new LullError(
          'NAME_TAKEN',
          `a terminal called ${name} is open already (pid ${before.pid}): lull close ${name} ends it`,
        )
      if (byName.size >= mostTerminals)
        throw new LullError(
          'REFUSED_FILE',
          `${mostTerminals} terminals are open: lull close ends those that are done`,
        )
      const pty = startProgram(request)
      const terminal = holdTerminal(request, pty, budget)
      byName.set(name, terminal)
      closed.forget(name)
      onChange()
      void terminal.ended.then(() => {
        onChange()
        forgetLater(name, pty.pid)
      })
      await terminal.begun
      return terminal.describe()
    },
    async close(name, isForced) {
      const terminal = get(name)
      const { survivors } = await terminal.close(isForced)
      if (survivors.length > 0) throw stillRuns(name, survivors)
      const end = await Promise.race([terminal.ended, pause(endMs, undefined)])
      closed.add(name)
      forget(name, terminal.describe().pid)
      return end ? { end } : {}
    },
    async closeAll() {
      for (const [name, terminal] of byName) if (!terminal.describe().end) closed.add(name)
      await Promise.all([...byName.values()].map(terminal => terminal.close(false)))
    },
  }
}
