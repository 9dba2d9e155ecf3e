/** The terminals that have a name, as a host follows them: read anew when their file changes, and their ends noted in it. */
import { attempt } from '../../os/attempt.ts'
import type { FollowedPane } from './followed-terminal.ts'
import { isLiving, type NamedTerminal, namedVersion, noteEnded, readAllNamed } from './named-terminals.ts'

export type FollowedNames = {
  /** The file has changed since it was read. */
  isOld(): boolean
  /** Those that have not ended. Names that can't be read at this moment are not forgotten, and read with the next look. */
  read(): readonly NamedTerminal[]
  /** One has ended: it is followed no more, whatever the file says. */
  end(key: string): void
  /** Where it can't be noted the name is kept on: that is the safe side. */
  noteEnds(): Promise<void>
}

/** @param folder where names are kept */
export function followedNames(folder: string): FollowedNames {
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
export const keyOf = ({ socket, pane, pid, start, name }: FollowedPane): string =>
  JSON.stringify([socket, pane, pid, start, name])
