/** Where the terminal server's lock lies. */
import path from 'node:path'
import type { Places } from '../os/file/places.ts'

export const serverLock = ({ runtime }: Places): string => path.join(runtime, 'terminals.lock')
