/**
 * A program that calls itself Claude Code, with its composer and its status file: it takes prompts, works on each for a while,
 * and notes them. It knows no command of its own, draws a while after it was typed into, and takes Enter right behind a letter for a
 * part of a paste, as Codex does. `node scripted-agent.ts NOTES HOME MS`, as `exec -a claude`. A turn lasts for MS, or where that is
 * the name of a file until it is there.
 */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readStat } from '../../src/os/proc/stat.ts'

const [, , notes = '', home = '', ms = '300'] = process.argv
const folder = path.join(home, '.claude/sessions')
mkdirSync(folder, { recursive: true })
const rule = '─'.repeat(60)
let line = ''
let said = ''
let letterAt = -Infinity
/** ms */
const [pasteMs, drawMs] = [100, 60]

function status(word: 'idle' | 'busy'): void {
  const procStart = readStat(process.pid)?.startTicks
  const fields = { pid: process.pid, procStart, cwd: process.cwd(), status: word }
  writeFileSync(
    path.join(folder, `${process.pid}.json`),
    JSON.stringify({ ...fields, sessionId: 's1', statusUpdatedAt: Date.now() }),
  )
}

function endTurn(): void {
  if (!path.isAbsolute(ms) || existsSync(ms)) status('idle')
  else setTimeout(endTurn, drawMs)
}

const draw = (): boolean =>
  process.stdout.write(
    `\u001b[H\u001b[2J${said}\r\n${rule}\r\n❯ ${line}\u001b7\r\n${rule}\r\n  ? for shortcuts\u001b8`,
  )

process.stdin.setRawMode(true)
process.stdin.on('data', bytes => {
  for (const character of bytes.toString().replace(/\u001b\[20[01]~/g, '')) {
    if (character === '\u0003') process.exit(0)
    if (character === '\u0015') line = ''
    else if (character !== '\r') {
      line += character
      letterAt = performance.now()
    } else if (performance.now() < letterAt + pasteMs) line += '\n'
    else if (line.startsWith('/')) said = `Unknown command: ${line}`
    else if (line !== '') {
      appendFileSync(notes, `${line}\n`)
      line = ''
      status('busy')
      setTimeout(endTurn, path.isAbsolute(ms) ? 0 : Number(ms))
    }
  }
  setTimeout(draw, drawMs)
})
status('idle')
draw()
