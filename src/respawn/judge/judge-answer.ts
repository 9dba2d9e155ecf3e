/** What a judge printed, as one of the words that it was asked for and a reason; or why it is no answer. Pure. */
import { oneLine, printable } from '../../core/text/printable.ts'

/** What each question may be answered with. */
export const judgeWords = { idle: ['IDLE', 'WORKING'], plan: ['PLAN', 'NOT_PLAN'] } as const

export type JudgeWord = (typeof judgeWords)[keyof typeof judgeWords][number]

export type JudgeAnswer<Word extends string> =
  | { readonly says: Word; readonly reason: string }
  /** A sentence for people. */
  | { readonly wrong: string }

/** Characters. A model that is asked for one line and writes this much has not understood. */
export const longestAnswer = 64 * 1024
/** Characters. */
export const longestReason = 300

/**
 * Finds the one line `VERDICT <nonce>: WORD - reason`. Other lines may stand around it, but none that holds the word
 * verdict and the nonce again, in whatever form: which of the two was meant would be a guess.
 */
export function readJudgeAnswer<Word extends string>(
  text: string,
  nonce: string,
  words: readonly Word[],
): JudgeAnswer<Word> {
  if (text.length > longestAnswer)
    return { wrong: `the judge answered with more than ${longestAnswer} characters` }
  if (text.trim() === '') return { wrong: 'the judge said nothing' }
  const claims = text.split('\n').filter(line => isClaim(line.toLowerCase(), nonce.toLowerCase()))
  const [claim] = claims
  if (claim === undefined)
    return { wrong: `the judge gave no verdict with the code it was given: ${quoted(text)}` }
  if (claims.length > 1)
    return { wrong: `the judge gave ${claims.length} verdicts: ${quoted(claims.join(' / '))}` }
  return readClaim(claim.trimEnd(), nonce, words)
}

const isClaim = (line: string, nonce: string): boolean => line.includes('verdict') && line.includes(nonce)

function readClaim<Word extends string>(
  line: string,
  nonce: string,
  words: readonly Word[],
): JudgeAnswer<Word> {
  const says = words.find(word => line.startsWith(beginning(nonce, word)))
  if (says === undefined) {
    const wanted = words.join(' or ')
    return { wrong: `the judge’s verdict is not ${wanted} in the form that was asked for: ${quoted(line)}` }
  }
  const written = line.slice(beginning(nonce, says).length)
  // A second verdict, behind a carriage return for example.
  if (written.includes(nonce)) return { wrong: `the judge gave several verdicts: ${quoted(line)}` }
  if (written.length > longestReason)
    return { wrong: `the judge’s reason has more than ${longestReason} characters: ${quoted(written)}` }
  const reason = printable(written).trim()
  if (!/[\p{L}\p{N}]/u.test(reason)) return { wrong: `the judge gave no reason: ${quoted(line)}` }
  return { says, reason }
}

const beginning = (nonce: string, word: string): string => `VERDICT ${nonce}: ${word} - `

const quoted = (text: string): string => `“${oneLine(text, 120)}”`
