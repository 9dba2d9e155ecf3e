import { lines, note } from './ui/print.ts'

/** Prints a sentence that is not the command's result, on stderr. */
export const onNotice = (sentence: string): void => void note(lines(`lull: ${sentence}`))
