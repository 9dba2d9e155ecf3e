/** A recording is judged the same without its secrets: of those of the corpus, which hold none, nothing is changed. */
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createTraceRedactor } from '../../src/core/redact/redact-trace.ts'
import { isComplaint, readEvent, type TraceEvent } from '../../src/core/trace/trace.ts'
import { linesOf } from '../support/recordings.ts'

const names = globSync('*/*.cast.gz', { cwd: new URL('../../corpus', import.meta.url) })
  .map(file => file.replace('/', '-').replace('.cast.gz', ''))
  .sort()

test('there is a corpus', () => expect(names.length).toBeGreaterThan(50))

test.each(names)('%s', name => {
  const redactor = createTraceRedactor()
  const events = linesOf(name)
    .slice(1)
    .map((line, i) => readEvent(line, i))
    .filter((event): event is TraceEvent => event !== undefined && !isComplaint(event))
  const found = [...events.flatMap(event => redactor.push(event)), ...redactor.end()]
  expect(found).toEqual(events)
})
