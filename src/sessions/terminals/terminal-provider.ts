/** The terminals that somebody named, and lull's own, as a provider of sessions: shells, REPLs and what runs in them. */
import type { Clock, Timer } from '../../core/clock.ts'
import { attempt } from '../../os/attempt.ts'
import { type Places, placesOf } from '../../os/file/places.ts'
import { isAlive } from '../../os/proc/alive.ts'
import { readStat } from '../../os/proc/stat.ts'
import { terminalPath } from '../../os/tty/tty.ts'
import { listOwned } from '../../owned/find-owned.ts'
import { notedVersion, readNoted } from '../../owned/terminals-note.ts'
import { nextBeat } from '../../track/clock.ts'
import { degradedBy } from '../../track/decode.ts'
import { createTrack } from '../../track/track.ts'
import type { SessionChanged, SessionProvider } from '../session-source.ts'
import { type FollowedPane, type FollowedTerminal, followTerminal } from './followed-terminal.ts'
import { isLiving, type NamedTerminal, namedVersion, noteEnded, readAllNamed } from './named-terminals.ts'

type FollowedNames = {
  /** The file has changed since it was read. */
  isOld(): boolean
  /** Those that have not ended. Names that can't be read at this moment are not forgotten, and read with the next look. */
  read(): readonly NamedTerminal[]
  /** It has ended: it is not followed any more, whatever the file has. */
  end(key: string): void
  /** Where it can't be noted the name is kept on: that is the safe side. */
  noteEnds(): Promise<void>
}

/** @param folder where names are kept */
function followedNames(folder: string): FollowedNames {
  let version = ''
  let named: readonly NamedTerminal[] = []
  const over = new Set<string>()
  let unnoted: NamedTerminal[] = []

  function endOne(terminal: NamedTerminal): void {
    const key = keyOf(terminal)
    if (!over.has(key) && terminal.endedAt === undefined) unnoted.push(terminal)
    over.add(key)
  }

  return {
    isOld: () => namedVersion(folder) !== version,
    read() {
      const now = namedVersion(folder)
      const read = now === version ? undefined : attempt(() => readAllNamed(folder))
      if (read) {
        ;[named, version] = [read, now]
        for (const one of named) if (!isLiving(one)) endOne(one)
      }
      return named.filter(one => !over.has(keyOf(one)))
    },
    end(key) {
      for (const one of named) if (keyOf(one) === key) endOne(one)
    },
    async noteEnds() {
      if (unnoted.length === 0) return
      const ended = unnoted
      unnoted = []
      await noteEnded(folder, ended).catch(() => undefined)
    },
  }
}

/** Another program in the same pane is another terminal. */
const keyOf = ({ socket, pane, pid, start, name }: FollowedPane): string =>
  JSON.stringify([socket, pane, pid, start, name])

const byKey = (all: readonly FollowedPane[]): ReadonlyMap<string, FollowedPane> =>
  new Map(all.map(terminal => [keyOf(terminal), terminal]))

const isPane =
  (pane: string, tmux: string) =>
  ({ terminal }: FollowedTerminal): boolean =>
    terminal.pane === pane && terminal.socket === tmux && !terminal.isOwned

const observeEveryMs = 1000
/** The first observation is waited for, as long as one pane may take to stand still. */
const firstPatienceMs = 800

/** @param folder where names are kept */
export function terminalProvider(folder: string, clock: Clock): SessionProvider {
  let onChange: SessionChanged = () => undefined
  const track = createTrack(clock, id => onChange(id, 'changed'))
  const terminals = new Map<string, FollowedTerminal>()
  const names = followedNames(folder)
  let openVersion = ''
  let isClosed = false
  let timer: Timer | undefined
  let observing = Promise.resolve()

  /** After the look that runs: one at a terminal that is not answered for may take longer than a beat. */
  function observeLater(): void {
    if (isClosed) return
    timer = clock.at(nextBeat(clock.now(), observeEveryMs), () => {
      observing = observing.then(() => observe(0))
      void observing.then(observeLater)
    })
  }

  async function observe(patience: number): Promise<void> {
    const wanted = await renew()
    const all = [...terminals.entries()]
    await Promise.all(all.map(([, terminal]) => observeOne(terminal, patience)))
    if (isClosed) return
    for (const [key, terminal] of all) {
      if (track.get(terminal.id)?.exit) {
        names.end(key)
        forget(key, terminal.id)
      } else if (!wanted.has(key)) forget(key, terminal.id, 'it was closed')
    }
    await names.noteEnds()
  }

  /** An error concerns its own terminal only; the others are still observed. */
  async function observeOne(terminal: FollowedTerminal, patience: number): Promise<void> {
    await terminal
      .observe(patience)
      .catch(error => void track.file(terminal.id, [degradedBy('terminal', error, clock.now())]))
  }

  /** @returns those that somebody has: what has ended is observed once more, for how it ended */
  async function renew(): Promise<ReadonlyMap<string, FollowedPane>> {
    openVersion = notedVersion(placesOf())
    const wanted = byKey([...names.read(), ...(await openOwned())])
    for (const [key, terminal] of wanted)
      if (!terminals.has(key)) terminals.set(key, followTerminal(terminal, track, clock))
    for (const [key, { id, terminal }] of terminals)
      if (!wanted.has(key) && isAlive(terminal) === true) forget(key, id, 'its name was taken away')
    return wanted
  }

  function forget(key: string, id: string, why?: string): void {
    terminals.delete(key)
    track.forget(id)
    onChange(id, 'gone', why)
  }

  return {
    start(changed) {
      onChange = changed
      observing = observe(firstPatienceMs)
      void observing.then(observeLater)
    },
    ready() {
      // Who asks after a name was given, or moved, means the terminal that has it now; so does who asks after one was opened.
      if (!isClosed && (names.isOld() || notedVersion(placesOf()) !== openVersion))
        observing = observing.then(() => observe(0))
      return observing
    },
    get: id => [...terminals.values()].find(terminal => terminal.id === id)?.view(),
    list: () => [...terminals.values()].flatMap(terminal => terminal.view() ?? []),
    nameOfPane: (pane, tmux) => [...terminals.values()].find(isPane(pane, tmux))?.terminal.name,
    async close() {
      isClosed = true
      timer?.cancel()
      await observing
      track.close()
    },
  }
}

/** Those with a running program, whether their server answers or not. */
async function openOwned(): Promise<readonly FollowedPane[]> {
  const places = placesOf()
  const open = (await listOwned(places))?.filter(({ end }) => !end) ?? notedOpen(places)
  return open.flatMap(({ name, tty, pid }) => {
    const start = readStat(pid)?.startTicks
    if (start === undefined) return []
    return [{ socket: places.terminals, pane: name, tty, pid, start, name, isOwned: true as const }]
  })
}

/** Those that the server has noted, as far as their programs have a terminal: it goes with the server. */
const notedOpen = (places: Places) =>
  readNoted(places).flatMap(noted => {
    const tty = isAlive(noted) === true ? terminalPath(readStat(noted.pid)?.tty ?? 0) : undefined
    return tty === undefined ? [] : [{ ...noted, tty }]
  })
