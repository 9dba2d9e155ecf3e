/** Set up before each file, so that this is the last of its hooks to run. */
import { afterAll } from 'vitest'
import { removeTemporaryFolders } from './lull.ts'

afterAll(removeTemporaryFolders)
