/** Prints a sentence that is not the command's result, on stderr. */
export const onNotice = (sentence: string): void => void process.stderr.write(`lull: ${sentence}\n`)
