/** The module that calls the C library. Loading it takes some ms: only where it is used, and when it is. */
import { createRequire } from 'node:module'

/** @throws where it does not load on this machine */
export const loadKoffi = (): typeof import('koffi').default => createRequire(import.meta.url)('koffi')
