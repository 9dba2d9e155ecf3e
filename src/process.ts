/**
 * Process trees: what they do or wait for, and what could still wake them.
 *
 * ```ts
 * import { describe, diagnose } from 'lull/process'
 *
 * const diagnosis = await diagnose(process.pid)
 * console.log(diagnosis ? describe(diagnosis) : 'it is gone')
 * ```
 *
 * @packageDocumentation
 */

export type { ProcessCause } from './core/state.ts'
export { type Ability, abilities } from './process/abilities.ts'
export { diagnose as diagnosePair } from './process/closure/diagnose.ts'
export type { Options as DiagnoseOptions } from './process/closure/tree-index.ts'
export { describe, type WaitRow, waitRows, waitTree } from './process/describe.ts'
export { diagnoseNow as diagnose, type Supervised } from './process/diagnose-now.ts'
export type * from './process/diagnosis.ts'
export type { LinuxOptions } from './process/linux/linux-reader.ts'
export type * from './process/process-reader.ts'
export type * from './process/snapshot.ts'
export { systemReader } from './process/system-reader.ts'
