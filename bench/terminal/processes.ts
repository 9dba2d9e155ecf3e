/** Processes below a pane, as /proc tells of them. */
import { readdirSync, readFileSync } from 'node:fs'

type Entry = { readonly pid: number; readonly parent: number; readonly name: string }

function entries(): Entry[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const close = stat.lastIndexOf(')')
        const name = stat.slice(stat.indexOf('(') + 1, close)
        return [{ pid: Number(pid), parent: Number(stat.slice(close + 2).split(' ')[1]), name }]
      } catch {
        return []
      }
    })
}

/** All processes below one, the nearest first; those of a name where one is given. */
export function descendants(root: number, name?: string): number[] {
  const all = entries()
  const found: Entry[] = []
  for (let parents = new Set([root]); parents.size > 0; ) {
    const children = all.filter(({ parent }) => parents.has(parent))
    found.push(...children)
    parents = new Set(children.map(({ pid }) => pid))
  }
  return found.filter(entry => name === undefined || entry.name === name).map(({ pid }) => pid)
}

export function endAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
