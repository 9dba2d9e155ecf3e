/**
 * How often verdicts of each rule were right on the recorded sessions, clean and with every fault together. An `unknown`
 * claims nothing. Source: the calibration table of `npm run bench:agents`, docs/benchmarks.md.
 */
import type { Rule } from './verdict.ts'

export const confidence: Readonly<Record<Rule, number>> = {
  exit: 0.99,
  agreed: 0.99,
  news: 0.98,
  overturned: 0.97,
  sign: 0.93,
  busier: 0.93,
  contradicted: 0.65,
  doubt: 0,
  nothing: 0,
}
