/** Where control groups are mounted, and the files there that tell of a process's groups. */
import { readText } from '../../os/proc/proc-file.ts'

type Mount = { readonly root: string; readonly folder: string }
type Mounts = {
  readonly unified?: Mount | undefined
  readonly freezer?: Mount | undefined
  readonly hasOldMemory: boolean
}

/** proc_pid_mountinfo(5): root and folder are the fourth and fifth field; after the dash type, source and options. */
export function parseMounts(text: string): Mounts {
  const rows = text.split('\n').flatMap(line => {
    const [, , , root = '', folder = ''] = line.split(' ')
    const [type, , options = ''] = (line.split(' - ')[1] ?? '').split(' ')
    if (type !== 'cgroup' && type !== 'cgroup2') return []
    return [{ root, folder, controllers: type === 'cgroup2' ? undefined : options.split(',') }]
  })
  return {
    unified: rows.find(({ controllers }) => controllers === undefined),
    freezer: rows.find(({ controllers }) => controllers?.includes('freezer')),
    hasOldMemory: rows.some(({ controllers }) => controllers?.includes('memory')),
  }
}

let known: Mounts | undefined
const mounts = (): Mounts => {
  known ??= parseMounts(readText('/proc/self/mountinfo'))
  return known
}

/** Version 1 limits memory here: cgroup.event_control may have the kernel count up an eventfd. */
export const hasOldMemoryGroups = (): boolean => mounts().hasOldMemory

/** A group's folder where its mount shows it. */
function folderOf(mount: Mount | undefined, path: string | undefined): string | undefined {
  if (!mount || path === undefined || path.startsWith('/..')) return undefined
  const root = mount.root === '/' ? '' : mount.root
  if (path !== root && !path.startsWith(`${root}/`)) return undefined
  return `${mount.folder}${path.slice(root.length)}`.replace(/\/$/, '')
}

const unifiedGroup = (groups: string): string | undefined =>
  folderOf(mounts().unified, /^0::(\/.*)$/m.exec(groups)?.[1])

/** The group of cgroup v2 that a process is in, as a folder; undefined where there is none. */
export const cgroupOf = (pid: number): string | undefined => unifiedGroup(readText(`/proc/${pid}/cgroup`))

/** The files that tell whether its groups are frozen: of cgroup v2, and of the freezer of v1. */
function freezersOf(pid: number): readonly string[] {
  const groups = readText(`/proc/${pid}/cgroup`)
  const group = unifiedGroup(groups)
  const old = folderOf(mounts().freezer, /^\d+:(?:\S+,)?freezer(?:,\S+)?:(\/.+)$/m.exec(groups)?.[1])
  return [
    ...(group === undefined ? [] : [`${group}/cgroup.events`]),
    ...(old === undefined ? [] : [`${old}/freezer.state`]),
  ]
}

/** `frozen 1`, or FROZEN in v1: both say so of a group that is frozen with one above it, too. */
const isFrozenBy = (file: string): boolean => /^(frozen 1|FROZEN|FREEZING)$/m.test(readText(file))

/** Whether a process is frozen. Each group is asked once: to be made anew for each look at many. */
export function freezers(filesOf = freezersOf): (pid: number) => boolean {
  const frozen = new Map<string, boolean>()
  return pid =>
    filesOf(pid).some(file => {
      if (!frozen.has(file)) frozen.set(file, isFrozenBy(file))
      return frozen.get(file) === true
    })
}

/** A process is seldom moved to another group. ms */
const groupsKeptMs = 8000

/**
 * `freezers` for one who looks again and again: the groups of each process are read every few seconds only.
 * @param now a monotonic clock, ms
 */
export function keptFreezers(now: () => number): typeof freezers {
  const kept = new Map<number, { readonly files: readonly string[]; readonly until: number }>()
  function filesOf(pid: number): readonly string[] {
    const before = kept.get(pid)
    if (before && now() < before.until) return before.files
    const files = freezersOf(pid)
    kept.set(pid, { files, until: now() + groupsKeptMs })
    return files
  }
  return () => {
    for (const [pid, { until }] of kept) if (now() >= until) kept.delete(pid)
    return freezers(filesOf)
  }
}
