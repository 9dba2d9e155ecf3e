/** What reads text from outside: for each the inputs that it gets, and what is done with them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { originOf } from '../../src/agents/kit/hook-payload.ts'
import { agents } from '../../src/agents/registry.ts'
import { explanationOf } from '../../src/core/explain/explanation.ts'
import { isLullError } from '../../src/core/lull-error.ts'
import { redact } from '../../src/core/redact/redact.ts'
import { newSession } from '../../src/core/session.ts'
import type { TraceCode } from '../../src/core/trace/trace.ts'
import { mergeEdit } from '../../src/hooks/install/install.ts'
import { entriesIn, withEntries, withoutEntries } from '../../src/hooks/install/settings-entries.ts'
import { readHookReport } from '../../src/hooks/receiver.ts'
import { findMarker } from '../../src/loop/marker/marker.ts'
import { readBody, readRalph } from '../../src/loop/ralph/ralph.ts'
import { readNotifyText } from '../../src/notify/rules/read-rules.ts'
import { sampleRules } from '../../src/notify/rules/sample-rules.ts'
import { restore } from '../../src/sessions/agents/restore-session.ts'
import { classify } from '../../src/terminal/classify/classify.ts'
import { tailScreen } from '../../src/terminal/classify/screen-text.ts'
import type { Probe, TerminalProcess } from '../../src/terminal/probe/probed.ts'
import { newStream, readStream } from '../../src/terminal/stream-step.ts'
import { readTranscript } from '../../src/track/bare-transcript.ts'
import { type Decoded, decodeInput, decodeRow, newDecoder } from '../../src/track/decode.ts'
import type { RawInput } from '../../src/track/raw-input.ts'
import { replay, replayEvents } from '../../src/track/replay.ts'
import { fileAll } from '../../src/track/track.ts'
import { type Broken, broken, edits, mutated } from './mutate.ts'
import { type Sample, samplesOf, traceSamples } from './samples.ts'

/** Does one thing that has to be over soon. */
type Step = <T>(act: () => T) => T

export type Target = {
  readonly name: string
  readonly inputs: fc.Arbitrary<unknown>
  run(input: unknown, step: Step): void
}

const target = <T>(name: string, inputs: fc.Arbitrary<T>, run: (input: T, step: Step) => void): Target => ({
  name,
  inputs,
  run: (input, step) => run(input as T, step),
})

/** ms since the epoch at which the samples' sessions began, more or less. */
const epoch = 1_795_300_000_000

type Inputs = readonly Broken<Sample>[]
const few = (code: TraceCode | 'row'): fc.Arbitrary<Inputs> =>
  fc.array(broken(samplesOf(code)), { minLength: 1, maxLength: 5 })

/** Reads these inputs as those of one session, judges it, explains it and writes it down. */
function judge(
  inputs: Inputs,
  read: (decoder: Decoded['decoder'], input: Broken<Sample>, at: number) => Decoded | undefined,
  step: Step,
): void {
  let decoder = newDecoder(agents[inputs[0]?.sample.agent ?? 'claude'], epoch)
  let session = newSession(0)
  inputs.forEach((input, i) => {
    const at = (i + 1) * 700
    step(() => {
      const decoded = read(decoder, input, at)
      if (!decoded) return
      refuseDegraded(decoded)
      decoder = decoded.decoder
      session = fileAll(session, at, decoded.signals)
      explanationOf(session, at + 10)
      JSON.stringify({ ...session, instant: undefined })
    })
  })
}

/** Production code guards the readers; here the guard must not be needed. */
function refuseDegraded({ signals }: Decoded): void {
  for (const signal of signals)
    if (signal.type === 'facts' && signal.facts.degraded !== undefined)
      throw new Error(`a reader failed: ${signal.facts.degraded}`)
}

const inputTarget = (code: TraceCode, make: (broken: Broken<Sample>) => RawInput | undefined): Target =>
  target(`reader ${code}`, few(code), (inputs, step) =>
    judge(
      inputs,
      (decoder, one, at) => {
        const input = make(one)
        return input && decodeInput(decoder, input, at)
      },
      step,
    ),
  )

const readers: readonly Target[] = [
  inputTarget('h', ({ sample: { agent, event }, text }) => {
    const named = event === '' ? {} : { event }
    const read = readHookReport({ agent, ...named, pid: '1', via: 'x' }, text)
    if ('refused' in read) return undefined
    originOf(read.report.payload)
    return { type: 'hook', event: read.report.event, payload: read.report.payload }
  }),
  inputTarget('t', ({ text }) => ({ type: 'line', path: '/home/x/.claude/projects/a/b.jsonl', line: text })),
  inputTarget('f', ({ text }) => ({
    type: 'status',
    path: '/home/x/.claude/sessions/1.json',
    content: text,
  })),
  inputTarget('o', ({ text }) => ({ type: 'output', data: text })),
  inputTarget('p', ({ text }) => ({ type: 'report', data: text })),
  target('reader row', few('row'), (inputs, step) =>
    judge(inputs, (decoder, { text }, at) => decodeRow(decoder, text, at), step),
  ),
]

const brokenTrace = fc
  .tuple(fc.nat(1_000_000), fc.array(fc.tuple(fc.nat(1_000_000), edits(3)), { maxLength: 20 }))
  .map(([which, changes]) => {
    const all = traceSamples()
    const { agent, lines: whole } = all[which % all.length] as (typeof all)[number]
    const lines = [...whole]
    for (const [at, edit] of changes) lines[at % lines.length] = mutated(lines[at % lines.length] ?? '', edit)
    return { agent, lines }
  })

/** Errors that tell people what is wrong with their input are no faults. */
function refusable(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!isLullError(error)) throw error
  }
}

const recordings: readonly Target[] = [
  target('trace', brokenTrace, ({ lines }, step) =>
    refusable(() => {
      const complaints: string[] = []
      const changes = replay(lines, { complain: ({ reason }) => complaints.push(reason) })
      for (let isOver = false; !isOver; )
        step(() => {
          const { done, value } = changes.next()
          isOver = done === true
          if (!done) explanationOf(value.session, value.at)
        })
      const failed = complaints.find(reason => reason.startsWith('unreadable'))
      if (failed !== undefined) throw new Error(failed)
    }),
  ),
  target('bare transcript', few('t'), (inputs, step) =>
    refusable(() => {
      const { agent } = (inputs[0] as Broken<Sample>).sample
      const lines = inputs.map(({ text }, i) => ({ text, end: i }))
      step(() => {
        const read = readTranscript({ path: '/x/y.jsonl', lines, hooks: lines, growth: lines })
        const changes = replayEvents(read.events, newDecoder(agents[agent], read.epoch), newSession(0))
        for (const _ of changes);
      })
    }),
  ),
  target('session found late', fc.tuple(few('t'), broken(samplesOf('f'))), ([lines, status], step) => {
    const decoder = newDecoder(agents[lines[0]?.sample.agent ?? 'claude'], epoch)
    const files = {
      transcript: { path: '/x/.claude/projects/a/b.jsonl', lines: lines.map(({ text }) => text) },
      status: { path: '/x/.claude/sessions/1.json', content: status.text },
    }
    step(() => restore(decoder, files, { started: 0, now: 1e6, epoch }))
  }),
]

const ralph = `---
agent: claude -p --permission-mode acceptEdits
commands:
  - name: tests
    run: npm test
    timeout: 2m
args: [area, depth]
idle:
  delay: 30s
  backoff: 2
credit: false
---

# Work on {{ args.area }}

Tests say: {{ commands.tests }} <!-- not this -->
`

const bombs = [
  `---\na: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefghi', (name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`).join('\n')}\nagent: *i\n---\nx`,
  `---\nagent: ${'['.repeat(5000)}\n---\nx`,
  `---\nagent: ${'{a: '.repeat(5000)}\n---\nx`,
  `---\n${'- '.repeat(5000)}\n---\nx`,
  `---\n${'? '.repeat(5000)}\n---\nx`,
  `---\nagent: a\n---\n${'a\n'.repeat(5000)}${'<'.repeat(20_000)}`,
]

const settings = [
  '{}',
  '{\n  "model": "opus",\n  // mine\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "echo" }] }],\n  },\n}\n',
  '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a"}]}]},"x":[1,2,{"y":null}]}',
]
const wanted = {
  handlers: new Map(
    ['SessionStart', 'Stop', 'PreToolUse'].map(event => [
      event,
      { type: 'command', command: "'/data/hook' claude" },
    ]),
  ),
  group: {},
}

const asSamples = (texts: readonly string[]) => texts.map(text => ({ text }))

const scratch = mkdtempSync(path.join(os.tmpdir(), 'lull-fuzz-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

const notifySample = sampleRules.replaceAll(/^# (?=[a-z ])/gm, '')

const files: readonly Target[] = [
  target('RALPH.md', broken(asSamples([ralph, ralph, ...bombs])), ({ text }, step) => {
    const file = path.join(scratch, 'RALPH.md')
    writeFileSync(file, text)
    refusable(() => step(() => void readRalph(file, 'RALPH.md')))
    refusable(() => step(() => void readBody(file)))
  }),
  target('notify.yaml', broken(asSamples([notifySample, ...bombs])), ({ text }, step) => {
    step(() => void readNotifyText(text, 'notify.yaml', '/home/dev'))
  }),
  target(
    'settings',
    fc.tuple(broken(asSamples(settings)), broken(asSamples(settings))),
    ([one, two], step) => {
      refusable(() => step(() => withoutEntries(withEntries(one.text, 'x.json', wanted), 'x.json')))
      refusable(() => step(() => entriesIn(one.text, 'x.json')))
      // Three versions are brought together only where two programs write at once: no larger than people's files are.
      if (one.text.length + two.text.length < 8000)
        refusable(() => step(() => mergeEdit(settings[1] ?? '', one.text, two.text, 'x.json')))
    },
  ),
  target('redaction', broken([...samplesOf('t'), ...samplesOf('h'), ...samplesOf('o')]), ({ text }, step) => {
    step(() => redact(text))
  }),
  target('marker', broken(samplesOf('t')), ({ text }, step) => {
    step(() => findMarker(`${text}\n<promise>COMPLETE</promise>`, text.slice(0, 1000)))
  }),
]

const readsTerminal: TerminalProcess = {
  pid: 100,
  parent: 1,
  name: 'python3',
  args: ['python3'],
  state: 'S',
  calls: [{ type: 'reads', name: 'pselect6', others: 0, isTimed: false }],
}

const terminal = target(
  'terminal',
  fc.tuple(fc.array(broken(samplesOf('o')), { minLength: 1, maxLength: 4 }), fc.boolean(), fc.boolean()),
  ([pieces, canonical, hasKernel], step) => {
    let stream = newStream(0)
    let printed = ''
    pieces.forEach(({ text }, at) => {
      step(() => {
        stream = readStream(stream, text, at)
      })
      printed += text
    })
    const rows = printed.split('\n').slice(-50)
    for (const screen of [
      tailScreen(printed),
      { rows, columns: 80, cursor: { row: rows.length - 1, column: 3 } },
    ]) {
      const probe: Probe = {
        at: 10,
        tty: '/dev/pts/0',
        leader: 100,
        hasKernel,
        termios: { canonical, echo: canonical, signals: true },
        processes: [readsTerminal],
        screen,
        stream: stream.marks,
        quiet: 1000,
      }
      step(() => classify(probe))
    }
  },
)

export const targets: readonly Target[] = [...readers, ...recordings, ...files, terminal]
