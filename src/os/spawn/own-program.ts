/** The program that this is: what of lull runs in the background is started as it. */
import { fileURLToPath } from 'node:url'

export const ownProgram = fileURLToPath(new URL('../../../bin/lull.js', import.meta.url))
