/**
 * What Go's runtime does in a process, recognised by its memory and not by its name: it has a handler for every signal, so only
 * the runtime's own table shows which of them the program asked for (os/signal.Notify), and its monitor (sysmon) sleeps
 * with a limit when all else does. Seen with Go 1.19, 64 bits; runtime/sigqueue.go and proc.go have been so since 1.4.
 */
import { readMemory } from '../../os/proc/proc-file.ts'
import type { Thread } from '../snapshot.ts'
import { signalsIn } from './details.ts'

/** The arenas that the heap of Go begins with on 64 bits (runtime/malloc.go, arenaBaseOffset and hints): 0x00c0 << 32. */
const arena = { from: 0xc0_0000_0000n, to: 0xc1_0000_0000n }
const hasArena = /^c000000000-/m

export type GoFacts = {
  /** The signals that the program asked for; undefined where it may have, and it could not be read which. */
  readonly asked: readonly string[] | undefined
  /** Threads of the runtime's own. */
  readonly own: ReadonlySet<number>
}

export type ProgramMemory = {
  readonly maps: string
  readonly read: (address: bigint, length: number) => Buffer | undefined
}

/** Undefined where it is no Go program. @param catches names: the handlers of a Go program are many */
export function readGo(
  pid: number,
  threads: readonly Thread[],
  catches: readonly string[],
  maps: () => string,
): GoFacts | undefined {
  if (!catches.includes('URG') || !catches.includes('RT64')) return undefined
  return goFacts(pid, threads, { maps: maps(), read: (address, length) => readMemory(pid, address, length) })
}

export function goFacts(
  pid: number,
  threads: readonly Thread[],
  { maps, read }: ProgramMemory,
): GoFacts | undefined {
  if (!hasArena.test(maps)) return undefined
  const image = imageOf(maps)
  const own = new Set<number>()
  let asked: readonly string[] | undefined = []
  for (const { tid, call } of threads) {
    // The first thread sleeps on a word of its own in the image; threads of the heap's are idle.
    if (tid === pid || call.type !== 'futex') continue
    const address = BigInt(call.address)
    if (address >= arena.from && address < arena.to) continue
    if (call.timeout !== undefined) {
      if (address >= image.from && address < image.to) own.add(tid)
      continue
    }
    const wanted = wantedAt(read(address, sigLength))
    if (wanted) asked = asked && [...asked, ...wanted]
    else if (!isHandoff(read(address - 24n, 32))) asked = undefined
  }
  return { asked, own }
}

/** The executable's own part of memory: what is mapped of the file that comes first, and the nameless part right after. */
function imageOf(maps: string): { readonly from: bigint; readonly to: bigint } {
  const rows = maps.split('\n').map(line => line.trim().split(/ +/))
  const [from, to] = endsOf(rows[0])
  const image = { from, to }
  for (const fields of rows.slice(1)) {
    const [start, end] = endsOf(fields)
    const path = fields[5]
    if (path !== rows[0]?.[5] && !(path === undefined && start === image.to)) break
    image.to = end
  }
  return image
}

const endsOf = ([range = '']: readonly string[] = []): readonly [bigint, bigint] => {
  const [from, to] = range.split('-').map(hex => BigInt(`0x${hex || '0'}`))
  return [from ?? 0n, to ?? 0n]
}

/**
 * runtime.sig; the thread that takes signals sleeps on its first word: note of 8 bytes, then mask, wanted, ignored and
 * recv of three words each, then state, 1 while it waits. Bit n of wanted is signal n.
 */
const sigLength = 60
const at = { wanted: 20, state: 56 }
const receiving = 1

function wantedAt(memory: Buffer | undefined): readonly string[] | undefined {
  if (memory?.readBigUInt64LE(0) !== 0n || memory.readUInt32LE(at.state) !== receiving) return undefined
  const words = [0, 1, 2].map(index => BigInt(memory.readUInt32LE(at.wanted + 4 * index)))
  const mask = words.reduce((all, word, index) => all | (word << BigInt(32 * index)), 0n)
  return signalsIn((mask >> 1n) & 0xffff_ffff_ffff_ffffn)
}

/** runtime.newmHandoff: lock, newm, waiting (a byte), and the note that its thread sleeps on. */
function isHandoff(memory: Buffer | undefined): boolean {
  if (!memory) return false
  return memory.readBigUInt64LE(0) === 0n && memory.readBigUInt64LE(8) === 0n && memory.readUInt8(16) === 1
}
