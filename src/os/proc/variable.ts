/** Where a running program keeps a variable that its file names: found by the ELF symbols. */
import { statSync } from 'node:fs'
import { attempt } from '../attempt.ts'
import { readPlain } from '../file/plain-file.ts'
import { readText } from './proc-file.ts'

/** A program file with all its libraries is smaller; what is larger is not read. */
const largestFile = 64 * 1024 * 1024
/** Of `elf.h`: a table of dynamic symbols, a program that is loaded at the addresses in its file. */
const SHT_DYNSYM = 11
const ET_EXEC = 2
const headerSize = 64
/** Of a symbol: 24 bytes, in words of 32 bits. */
const symbolWords = 6

/** Where a program has a file loaded. */
export type Loaded = { readonly file: string; readonly base: bigint }

/** @param isFile called with the name of each file, without its folders */
export function findLoaded(pid: number, isFile: (name: string) => boolean): Loaded | undefined {
  for (const line of readText(`/proc/${pid}/maps`).split('\n')) {
    const [, from, file] = /^([0-9a-f]+)-\S+ \S+ 0+ \S+ [1-9]\d* +(\/.*)$/.exec(line) ?? []
    if (from === undefined || file === undefined || !isFile(file.slice(file.lastIndexOf('/') + 1))) continue
    return { file: `/proc/${pid}/root${file}`, base: BigInt(`0x${from}`) }
  }
  return undefined
}

/** The address of a variable in its program's memory; undefined where the file has no such symbol. */
export function addressOf(loaded: Loaded, name: string): bigint | undefined {
  // What is loaded stays, though another file may take its name.
  if (!ofLoaded.has(loaded)) ofLoaded.set(loaded, symbolsOf(loaded.file))
  const symbols = ofLoaded.get(loaded)
  const value = symbols && valueOnce(symbols, name)
  return value === undefined ? undefined : symbols?.isFixed ? value : loaded.base + value
}

type Symbols = {
  readonly names: Buffer
  readonly table: Uint32Array
  readonly isFixed: boolean
  readonly found: Map<string, bigint | undefined>
}

const ofLoaded = new WeakMap<Loaded, Symbols | undefined>()

/** A shell's file is read once. */
const known = new Map<string, Symbols | undefined>()
const mostKnown = 16

function symbolsOf(file: string): Symbols | undefined {
  const stat = attempt(() => statSync(file))
  if (!stat) return undefined
  const key = `${stat.dev}:${stat.ino}:${stat.mtimeMs}`
  if (!known.has(key)) {
    if (known.size >= mostKnown) known.clear()
    known.set(
      key,
      attempt(() => readSymbols(readPlain(file, { most: largestFile }))),
    )
  }
  return known.get(key)
}

/** Of 64-bit little-endian files, as x86-64 and arm64 have them. @throws {RangeError} where the file is cut */
function readSymbols(elf: Buffer): Symbols | undefined {
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf.readUInt16BE(4) !== 0x0201) return undefined
  const sections = Number(elf.readBigUInt64LE(40))
  const header = (n: number) => elf.subarray(sections + n * headerSize, sections + (n + 1) * headerSize)
  const body = (section: Buffer) => {
    const from = Number(section.readBigUInt64LE(24))
    return elf.subarray(from, from + Number(section.readBigUInt64LE(32)))
  }
  const dynamic = Array.from({ length: elf.readUInt16LE(60) }, (_, n) => header(n)).find(
    section => section.readUInt32LE(4) === SHT_DYNSYM,
  )
  if (!dynamic) return undefined
  return {
    // Copies: the rest of the file is not kept.
    names: Buffer.from(body(header(dynamic.readUInt32LE(40)))),
    table: new Uint32Array(new Uint8Array(body(dynamic)).buffer),
    isFixed: elf.readUInt16LE(16) === ET_EXEC,
    found: new Map(),
  }
}

function valueOnce(symbols: Symbols, name: string): bigint | undefined {
  if (!symbols.found.has(name)) symbols.found.set(name, symbolValue(symbols, Buffer.from(`${name}\0`)))
  return symbols.found.get(name)
}

function symbolValue({ names, table }: Symbols, wanted: Buffer): bigint | undefined {
  // Names that end alike share their ends.
  for (let name = names.indexOf(wanted); name >= 0; name = names.indexOf(wanted, name + 1))
    for (let at = table.indexOf(name); at >= 0; at = table.indexOf(name, at + 1)) {
      if (at % symbolWords !== 0) continue
      const value = (BigInt(table[at + 3] ?? 0) << 32n) | BigInt(table[at + 2] ?? 0)
      // What a file only uses of another has no place in it.
      if (value !== 0n) return value
    }
  return undefined
}
