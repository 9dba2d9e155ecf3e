/** The code that a verdict has to carry: made after the screen was read, so that nothing on the screen can know it. */
import { randomBytes } from 'node:crypto'

/** 96 bits in hexadecimal digits. */
export const newNonce = (): string => randomBytes(12).toString('hex')
