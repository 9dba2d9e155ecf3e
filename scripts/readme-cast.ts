/**
 * Makes docs/lull.svg, the moving picture that heads the README: `lull record` records the stories of `lull demo`, and
 * svg-term draws the recording. `npm run readme-cast`, after the demo has changed.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { render, type SvgTermTheme } from 'svg-term'

const root = path.resolve(import.meta.dirname, '..')
const picture = path.join(root, 'docs/lull.svg')
const [columns, rows] = [112, 24]
/** Pictures that follow each other sooner are one: a README is no film. s */
const together = 0.45
/** The last one is read: s. */
const lastFrame = 6
/** A README that is loaded over a telephone. */
const mostBytes = 500_000

/** Dark, because the picture is on light and dark pages. */
const theme: SvgTermTheme = {
  0: [0, 0, 0],
  1: [205, 49, 49],
  2: [13, 188, 121],
  3: [229, 229, 16],
  4: [36, 114, 200],
  5: [188, 63, 188],
  6: [17, 168, 205],
  7: [229, 229, 229],
  8: [102, 102, 102],
  9: [241, 76, 76],
  10: [35, 209, 139],
  11: [245, 245, 67],
  12: [59, 142, 234],
  13: [214, 112, 214],
  14: [41, 184, 219],
  15: [255, 255, 255],
  background: [13, 17, 23],
  bold: [240, 246, 252],
  cursor: [240, 246, 252],
  text: [201, 209, 217],
  fontFamily: 'ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace',
  fontSize: 1.67,
  lineHeight: 1.3,
}

type Output = readonly [at: number, data: string]

function record(folder: string): string {
  const file = path.join(folder, 'lull.cast')
  const lull = [process.execPath, path.join(root, 'bin/lull.js')]
  const demo = `stty cols ${columns} rows ${rows}; exec "$@"`
  const words = ['sh', '-c', demo, 'sh', ...lull, 'demo', '--stories']
  // Nobody's settings are in the picture, nor their agents.
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
  }
  execFileSync(
    lull[0] as string,
    [...lull.slice(1), 'record', '--agent', 'lull-demo', '-o', file, '--', ...words],
    {
      env,
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  return readFileSync(file, 'utf8')
}

/** What was printed, in as many pieces as are looked at. */
function piecesOf(cast: string): readonly Output[] {
  const outputs = cast
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => JSON.parse(line) as readonly [number, string, string])
    .filter(([, code]) => code === 'o')
  const begun = outputs[0]?.[0] ?? 0
  const pieces: [number, string][] = []
  for (const [at, , data] of outputs) {
    const last = pieces.at(-1)
    if (last && at - begun - last[0] < together) last[1] += data
    else pieces.push([at - begun, data])
  }
  return pieces
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-cast-'))
try {
  const pieces = piecesOf(record(folder))
  const end = (pieces.at(-1)?.[0] ?? 0) + lastFrame
  const header = { version: 2, width: columns, height: rows }
  const cast = [header, ...pieces.map(([at, data]) => [at, 'o', data]), [end, 'o', '']]
  const svg = render(cast.map(line => JSON.stringify(line)).join('\n'), {
    window: true,
    cursor: false,
    theme,
  })
  writeFileSync(picture, svg)
  const { size } = statSync(picture)
  console.log(`docs/lull.svg: ${Math.round(size / 1000)} kB, ${pieces.length} pictures, ${Math.round(end)} s`)
  if (size > mostBytes) {
    console.error(`it is larger than ${mostBytes / 1000} kB`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
