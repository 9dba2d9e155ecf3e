/** A recording as people have it without `lull record`: a transcript, its hooks, a record of its growth. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { lull, temporaryFolder } from './lull.ts'
import { lullHere } from './lull-here.ts'
import { agentOf, eventsOf, startOf, transcriptOf } from './recordings.ts'

/** Files as lists of lines. */
export type Files = {
  readonly transcript: readonly string[]
  readonly hooks?: readonly string[]
  readonly growth?: readonly string[]
}

const isoOf = (ms: number): string => new Date(ms).toISOString()

export const sessionOf = (name: string): string =>
  /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(transcriptOf(name)[0]?.path ?? '')?.[0] ?? name

/** `delay`: how many ms later than in the recording the transcript reached the disk. */
export function filesOf(name: string, delay = 0): Required<Files> {
  const start = startOf(name)
  const rows = transcriptOf(name)
  let bytes = 0
  return {
    transcript: rows.map(row => row.line),
    hooks: eventsOf(name)
      .filter(([, code]) => code === 'h')
      .map(([t, , data]) => {
        const { event, payload, via } = JSON.parse(data) as { event: string; payload: unknown; via?: string }
        return JSON.stringify({ t: isoOf(start + t * 1000), event, payload, via })
      }),
    growth: rows.map(({ t, line }) => {
      bytes += Buffer.byteLength(line) + 1
      return JSON.stringify({ t: isoOf(start + t * 1000 + delay), session: sessionOf(name), bytes })
    }),
  }
}

export type Row = {
  readonly t: string
  readonly state: string
  readonly doing?: string
  readonly for?: string
  readonly after?: string
}

export type Judged = {
  readonly rows: readonly Row[]
  readonly states: readonly string[]
  readonly stderr: string
  readonly code: number
  readonly folder: string
}

/** Runs `lull replay --json --agent … --transcript …` on such files. `node` holds options of Node itself. */
export async function judgeFiles(
  name: string,
  files: Files,
  more: readonly string[] = [],
  node: readonly string[] = [],
): Promise<Judged> {
  const folder = temporaryFolder()
  const args = ['replay', '--json', '--agent', agentOf(name)]
  for (const [part, lines] of Object.entries(files)) {
    const file = path.join(folder, part === 'transcript' ? `${sessionOf(name)}.jsonl` : `${part}.jsonl`)
    writeFileSync(file, lines.length > 0 ? `${lines.join('\n')}\n` : '')
    args.push(`--${part}`, file)
  }
  const words = [...args, ...more]
  const { code, stdout, stderr } = await (node.length === 0 ? lullHere(words) : lull(words, node))
  const rows = stdout.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Row]))
  const states = rows.map(({ state, doing, for: reason, after }) =>
    [state, doing ?? reason ?? after].filter(word => word !== undefined).join('/'),
  )
  return { rows, states, stderr: stderr.replaceAll(`${folder}/`, ''), code, folder }
}

/** The state at an instant, ms since the epoch. */
export const stateAt = (rows: readonly Row[], ms: number): string | undefined =>
  rows.findLast(row => Date.parse(row.t) <= ms)?.state
