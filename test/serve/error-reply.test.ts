/** Which status a refusal has over HTTP: bad input, nothing there, ended, refused for now, unavailable. */
import { expect, test } from 'vitest'
import { LullError } from '../../src/core/lull-error.ts'
import { errorReply } from '../../src/serve/error-reply.ts'

test.each([
  [400, new LullError('USAGE', 'x')],
  [403, new LullError('READ_ONLY', 'x')],
  [404, new LullError('NO_SESSION', 'x', { address: 'y' })],
  [409, new LullError('REFUSED_TO_TYPE', 'x', { outcome: 'waitsForPerson', typed: 0 })],
  [410, new LullError('REFUSED_TO_TYPE', 'x', { outcome: 'gone', typed: 0 })],
  [410, new LullError('TERMINAL_ENDED', 'x')],
  [503, new LullError('REFUSED_FILE', 'x')],
])('%i: %o', (status, error) => {
  expect(errorReply(error)?.status).toBe(status)
})
