/**
 * What the detector says of every recording, as it is and with each source failing in turn: a digest each. Given the digests of
 * another run, it ends with 1 at the first that differs. Run by `npm run mutate:recordings` in a copy of the tree.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { startedSession } from '../src/core/advance.ts'
import { explanationOf } from '../src/core/explain/explanation.ts'
import { replayEvents } from '../src/track/replay.ts'
import { corpusFolder, loadCorpus, type Recording } from './corpus.ts'
import { type Fault, sourceFaults } from './faults.ts'
import { decoderFor, isSame, unchanged } from './judgements.ts'

function digestOf(recording: Recording, apply: Fault['apply']): string {
  const events = apply(recording.events, recording.seconds)
  const decoder = decoderFor(recording, events)
  const hash = createHash('sha256')
  for (const { at, verdict, session } of replayEvents(events, decoder, startedSession(0), { isSame }))
    hash.update(JSON.stringify([at, verdict, session.facts, explanationOf(session, at)]))
  return hash.digest('hex').slice(0, 16)
}

const [file = ''] = process.argv.slice(2)
const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly string[]) : undefined
const digests: string[] = []
const recordings = loadCorpus(corpusFolder)
for (const apply of [unchanged, ...sourceFaults.map(one => one.apply)])
  for (const recording of recordings) {
    const digest = digestOf(recording, apply)
    if (before && before[digests.length] !== digest) process.exit(1)
    digests.push(digest)
  }
if (!before) writeFileSync(file, JSON.stringify(digests))
