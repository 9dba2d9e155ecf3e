/** A name that nothing else has: not in this process, and not in another. Not a secret: node:crypto takes 10 ms to load. */
export const uniqueName = (): string =>
  [process.pid, process.hrtime.bigint(), Math.floor(Math.random() * 2 ** 48)]
    .map(part => part.toString(36))
    .join('-')
