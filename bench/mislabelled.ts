/**
 * Stretches of the recordings whose label is wrong by the recording's own screen. They are judged and shown, but no
 * floor counts them.
 */
export const mislabelled: readonly {
  readonly trace: string
  readonly from: number
  readonly to: number
  readonly why: string
}[] = [
  {
    trace: 'copilot/mixedperm',
    from: 147.99,
    to: 151.8,
    why: 'Ctrl-C at 147.99 s dismisses the dialog: events.jsonl has `abort`, the screen at 148.10 s "Operation cancelled by user" and then the composer; the label stays waiting because the process outlived the recording',
  },
]

export const isMislabelled = (trace: string, t: number): boolean =>
  mislabelled.some(m => m.trace === trace && t >= m.from && t < m.to)
