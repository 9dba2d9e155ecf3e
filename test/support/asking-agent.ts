/**
 * A program that calls itself Claude Code and asks for a permission, as its dialogs look and its status file tells: arrows
 * point, Enter chooses, and what was chosen is noted. `node asking-agent.ts NOTES HOME COMMAND`, as `exec -a claude`.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readStat } from '../../src/os/proc/stat.ts'

const [, , notes = '', home = '', command = 'rm -rf build'] = process.argv
const folder = path.join(home, '.claude/sessions')
mkdirSync(folder, { recursive: true })
const edge = '─'.repeat(60)
const labels = ['Yes', 'Yes, and don’t ask again for: rm:*', 'No']
let pointed = 0
let isOpen = true

function status(fields: object): void {
  const procStart = readStat(process.pid)?.startTicks
  const common = {
    pid: process.pid,
    procStart,
    cwd: process.cwd(),
    sessionId: 's1',
    statusUpdatedAt: Date.now(),
  }
  writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify({ ...common, ...fields }))
}

function draw(): void {
  const options = labels.map((label, n) => ` ${n === pointed ? '❯' : ' '} ${n + 1}. ${label}`)
  const rows = isOpen
    ? [edge, ' Bash command', `   ${command}`, ' Do you want to proceed?', ...options, ' Esc to cancel']
    : ['● Done.', '', edge, '❯ ', edge]
  process.stdout.write(`\u001b[H\u001b[2J${rows.join('\r\n')}`)
}

process.stdin.setRawMode(true)
process.stdin.on('data', bytes => {
  const keys = bytes.toString()
  if (keys === '\u0003') process.exit(0)
  if (!isOpen) return
  if (keys === '\u001b[A') pointed = Math.max(0, pointed - 1)
  if (keys === '\u001b[B') pointed = Math.min(labels.length - 1, pointed + 1)
  if (keys === '\r') {
    isOpen = false
    appendFileSync(notes, `${labels[pointed]}\n`)
    status({ status: 'busy' })
  }
  draw()
})
status({ status: 'waiting', waitingFor: 'permission prompt' })
draw()
