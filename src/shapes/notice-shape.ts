/** A notice to open pages: what notify.yaml chose, in the texts that each destination gets. */
import { z } from 'zod'

const words = z.string()

export const noticeShape = z.strictObject({
  id: words.describe('the same when it is withdrawn'),
  at: z.iso.datetime().describe('ISO time, UTC'),
  title: words.describe('one line'),
  text: words.describe('lines'),
  urgent: z.boolean(),
  withdrawn: z.boolean().describe('it is over: what was shown of it can be taken away'),
  count: z.number().describe('so many sessions'),
  session: words.optional().describe('id of the session, where it is of one'),
})

export type Notice = z.infer<typeof noticeShape>

/** Before it is sent. */
export const unsentNoticeShape = noticeShape.omit({ at: true })
export type UnsentNotice = z.infer<typeof unsentNoticeShape>
