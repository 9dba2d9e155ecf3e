/**
 * `npm run tour [-- --write]`: plays the day and night of docs/tour.md with real Claude Code and Codex in tmux, on a scripted
 * model, and holds each block of the page against what came of it; `--write` puts that into the page. Exits 1 where a block
 * differs or a command ended otherwise than it should. Where it can't be played, it says what is skipped and why, and exits 0.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ensureLab, LabError, labVersion } from '../scripts/setup-lab.ts'
import { differences, type Shown, written } from './tour/page.ts'
import { startPlayer } from './tour/player.ts'
import { stable } from './tour/stable.ts'
import { steps } from './tour/steps.ts'

const file = path.resolve(import.meta.dirname, '../docs/tour.md')
const words = process.argv.slice(2)
/** Said by this program to itself: it sees no process but its own. */
const alone = '--alone'
const odd = words.find(word => word !== '--write' && word !== alone)
if (odd !== undefined) {
  process.stderr.write(`tour: ${odd} is no flag of it; npm run tour -- --write writes docs/tour.md anew\n`)
  process.exit(2)
}

const print = (text: string) => process.stdout.write(`${text}\n`)

function skip(why: string): never {
  print(`skipped: all ${steps.length} steps, because ${why}`)
  print(JSON.stringify({ bench: 'tour', played: 0, skipped: steps.length, why }))
  process.exit(0)
}

if (words.includes(alone)) await play()
else {
  try {
    ensureLab(['claude', 'codex'])
  } catch (error) {
    if (!(error instanceof LabError)) throw error
    skip(error.message)
  }
  // The agents of who plays it would stand in every table.
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  const unshare = [...user, '--pid', '--fork', '--mount-proc', '--kill-child']
  if (spawnSync('unshare', [...unshare, 'true']).status !== 0)
    skip('no process namespace can be made here (unshare), and other agents of this machine would be shown')
  const own = [process.execPath, import.meta.filename, ...words, alone]
  process.exitCode = spawnSync('unshare', [...unshare, ...own], { stdio: 'inherit' }).status ?? 1
}

async function play(): Promise<void> {
  const player = await startPlayer()
  const known: string[] = []
  const played: Shown[] = []
  const wrong: string[] = []
  try {
    for (const step of steps) {
      const { printed, code } = await player.play(step)
      for (const id of await player.ids()) if (!known.includes(id)) known.push(id)
      played.push({ command: step.command, printed: stable(printed, { home: player.home, known }) })
      if (code !== (step.code ?? 0)) wrong.push(`\`${step.command}\` ended with ${code}:\n${printed}`)
    }
  } catch (error) {
    wrong.push(String(error))
  } finally {
    await player.close()
  }
  const page = readFileSync(file, 'utf8')
  if (words.includes('--write') && wrong.length === 0) writeFileSync(file, written(page, played))
  wrong.push(...differences(readFileSync(file, 'utf8'), played))
  for (const what of wrong) print(`wrong: ${what}`)
  print(
    JSON.stringify({
      bench: 'tour',
      claude: labVersion('claude'),
      codex: labVersion('codex'),
      played: played.length,
      wrong: wrong.length,
    }),
  )
  process.exitCode = wrong.length > 0 ? 1 : 0
}
