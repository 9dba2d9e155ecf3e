/**
 * The scenarios, one a line of `scenarios.jsonl`: the kinds of docs/research/process.md#scenarios, and cases that were found
 * on the way. stdin is a pipe that is held open and never written.
 */
import { rowsOf } from '../rows.ts'
import type { Scenario } from './scenario.ts'

export const scenarios = rowsOf<Scenario>(new URL('scenarios.jsonl', import.meta.url))
