/** What is to be undone when a bench ends before it could close what it opened: by an error, Ctrl-C or a signal. */
const undone = new Set<() => void>()

/** Registers a synchronous act for the end of this process. Returns how to withdraw it, once it was done in good order. */
export function atExit(undo: () => void): () => void {
  watch()
  undone.add(undo)
  return () => {
    undone.delete(undo)
  }
}

let isWatching = false

function watch(): void {
  if (isWatching) return
  isWatching = true
  process.once('exit', () => {
    for (const undo of undone) undo()
  })
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  process.once('SIGHUP', () => process.exit(129))
}
