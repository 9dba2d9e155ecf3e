/** What sets of rules would do at each dialog of the recorded sessions, laid beside what was really asked. */
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { corpusFolder, loadCorpus } from '../../bench/corpus.ts'
import { lull, temporaryFile } from '../support/lull.ts'

type Row = {
  readonly recording: string
  readonly at: number
  readonly for: string
  readonly about?: string
  readonly rule?: number
}

const recordings = loadCorpus(corpusFolder)
const files = recordings.map(({ name }) => path.join(corpusFolder, `${name}.cast.gz`))

/** The first rule that fits answers. Each here answers less than those below it: one run tells of all of them. */
const rules = [
  '{ for: permission, pattern: "npm test" }',
  '{ for: permission, pattern: "touch made.txt" }',
  '{ for: permission, pattern: ".*", tool: NoSuchTool }',
  '{ for: permission, pattern: ".*", agent: aider }',
  '{ for: permission, pattern: ".*", folder: /no/such }',
  '{ for: trust, folder: /no/such }',
  '{ for: permission, pattern: "(Run command: )?sleep 12 && echo slept-12" }',
  '{ for: permission, pattern: ".*" }',
  '{ for: plan }',
]
const oneCommand = 6

async function dialogs(): Promise<readonly Row[]> {
  const accept = rules.map(rule => `  - ${rule}\n`).join('')
  const plan = temporaryFile('plan.yaml', `steps: [{prompt: go on}]\nfor: 1h\naccept:\n${accept}`)
  const { stdout } = await lull(['accept', 'test', plan, ...files, '--json'])
  return stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row) as Row)
}

let all: readonly Row[]
beforeAll(async () => {
  all = await dialogs()
})

/** What a person was really asked then; a source may tell of it a moment early or late. */
const truthOf = ({ recording, at }: Row): readonly (string | undefined)[] => {
  const one = recordings.find(({ name }) => recording.endsWith(`${name}.cast.gz`))
  if (!one) throw new Error(`no such recording: ${recording}`)
  return [0, 0.5, -0.5, 1.5].map(by => one.truth.findLast(({ from }) => from <= at / 1000 + by)?.for)
}

test('rules that allow all permissions and plans answer nothing else, and no question', () => {
  expect(all.length).toBeGreaterThan(30)
  const accepted = all.filter(({ rule }) => rule !== undefined)
  expect(accepted.length).toBeGreaterThan(10)
  expect(accepted.filter(row => !truthOf(row).includes(row.for))).toEqual([])
  expect(all.filter(row => row.for === 'question' && row.rule !== undefined)).toEqual([])
})

test('a rule for one command answers that command alone', () => {
  const accepted = all.filter(({ rule }) => rule === oneCommand)
  expect(accepted.length).toBeGreaterThan(1)
  for (const { about } of accepted) expect(about).toMatch(/^(Run command: )?sleep 12 && echo slept-12$/)
})

test('rules for other commands, tools, agents and folders answer nothing', () => {
  expect(all.filter(({ rule }) => rule !== undefined && rule < oneCommand)).toEqual([])
})
