/** The commands that lull sends to a tmux server for the segment, if the user enabled it in tmux.conf. Pure. */

/** Set to `on` by the lines of `lull tmux install`: without it nothing is set. */
export const pushOption = '@lull-push'
/** The text in the status line. */
const textOption = '@lull'
/** When the text expires, s since the epoch: a killed host does not remove its text. */
const untilOption = '@lull-until'
/** The host that set the text, and the number of the text. */
const idOption = '@lull-id'

/** How often the host renews the text, and how long it stays valid. s */
const renewSeconds = 60
const validSeconds = 150

/** What the status line shows: the segment, that its host is gone, or nothing where none ever ran or one has ended. */
export const shownFormat = `#{?${untilOption},#{?#{e|>:%s,#{${untilOption}}},lull: no host,#{${textOption}}},}`

/** Commands that a server carries out if a format is true of it at that very moment. */
export type Conditional = {
  readonly condition: string
  readonly commands: readonly (readonly string[])[]
}

export type Segment = {
  readonly text: string
  /** Of the host: letters and digits alone. */
  readonly run: string
  /** How many texts it had before this one. */
  readonly count: number
}

/**
 * Where something is new.
 * @param wall s since the epoch
 */
export function pushed({ text, run, count }: Segment, wall: number): Conditional {
  const id = `${run}-${count}`
  const isOld = `#{e|<:#{${untilOption}},${wall + validSeconds - renewSeconds}}`
  const isNews = `#{||:#{!=:#{${idOption}},${id}},${isOld}}`
  return ifWanted(isNews, [
    ['set-option', '-g', textOption, text],
    ['set-option', '-g', untilOption, String(wall + validSeconds)],
    ['set-option', '-g', idOption, id],
  ])
}

/** Takes back what this host has set, and nothing of another one's. */
export const cleared = (run: string): Conditional =>
  ifWanted(
    `#{m:${run}-*,#{${idOption}}}`,
    [textOption, untilOption, idOption].map(option => ['set-option', '-gu', option]),
  )

const ifWanted = (also: string, commands: Conditional['commands']): Conditional => ({
  condition: `#{&&:#{==:#{${pushOption}},on},${also}}`,
  commands,
})
