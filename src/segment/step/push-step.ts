/** What a tmux server is asked to do with the segment, if its person wants it: says so in tmux.conf. Pure. */

/** Set to `on` by the lines of `lull tmux install`: without it nothing is set. */
export const pushOption = '@lull-push'
/** What stands in the status line. */
const textOption = '@lull'
/** Until when it may be believed, s since the epoch: a host that was killed takes nothing back. */
const untilOption = '@lull-until'
/** Whose text that is, and which. */
const idOption = '@lull-id'

/** It is set anew so often, and believed so much longer. s */
const renewSeconds = 60
const believedSeconds = 150

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
  const isOld = `#{e|<:#{${untilOption}},${wall + believedSeconds - renewSeconds}}`
  const isNews = `#{||:#{!=:#{${idOption}},${id}},${isOld}}`
  return ifWanted(isNews, [
    ['set-option', '-g', textOption, text],
    ['set-option', '-g', untilOption, String(wall + believedSeconds)],
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
