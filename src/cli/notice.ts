/** What a command tells a person besides its result. */
export const onNotice = (sentence: string): void => void process.stderr.write(`lull: ${sentence}\n`)
