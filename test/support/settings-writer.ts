/**
 * Another program that edits a settings file: in each round it reads it, adds a key, and writes it, in place or by a
 * rename. Run as `node settings-writer.ts FILE in-place|rename ROUNDS`.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const [file = '', style, rounds] = process.argv.slice(2)

for (let round = 0; round < Number(rounds); round++) {
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  if (round % 3 === 0) await pause(round % 5)
  settings[`key${round}`] = { round, list: [round] }
  const text = JSON.stringify(settings, null, 2)
  if (style === 'in-place') {
    writeFileSync(file, text)
  } else {
    writeFileSync(`${file}.theirs`, text)
    renameSync(`${file}.theirs`, file)
  }
  if (round % 4 !== 0) await pause(round % 23)
}
