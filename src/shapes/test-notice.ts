/** The notice that a person asks for to see whether it arrives. Without zod: the page reads it as well. */

/** So its id begins. */
const mark = 'test-'

/** @param rest what tells it from others of its kind */
export const testNoticeId = (rest: string): string => `${mark}${rest}`

export const isTestNotice = (id: string): boolean => id.startsWith(mark)
