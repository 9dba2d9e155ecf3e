/**
 * What this process had open before it made anything of its own. Whoever starts a program that is to be judged imports
 * this before: what lull holds by then was handed down to it, what it makes later was not.
 */
import { readDescriptors } from './holders.ts'

export const startedWith: ReadonlySet<string> = new Set(readDescriptors(process.pid).links.values())
