/** Writes what was seen of a scenario as a unit test's input: the cut, and what is right. */
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Row } from './scoring.ts'

const folder = path.resolve(import.meta.dirname, '../../test/snapshots')
const repository = path.resolve(import.meta.dirname, '../..')
const mostBytes = 30_000

/** `scratch` is the bench's own folder. A cut that is too large is left out, and one whose cause is not right. */
export function record({ scenario, isExact, observation: { cut } }: Row, scratch: string): void {
  if (!cut || !isExact) return
  const { name, kind, expected } = scenario
  const text = JSON.stringify({ name, kind, expected, cut })
    .replaceAll(path.join(scratch), '/scratch')
    .replaceAll(repository, '/lull')
    .replaceAll(path.dirname(process.execPath), '/usr/bin')
    .replaceAll(os.homedir(), '/home/user')
  const file = path.join(folder, `${name.replace(/\W+/g, '-').replace(/^-|-$/g, '').toLowerCase()}.json`)
  if (text.length > mostBytes) {
    process.stderr.write(`${name}: its cut is ${text.length} bytes, too large to record\n`)
    return
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${text}\n`)
}
