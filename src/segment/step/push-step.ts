/** The words by which a tmux server gets the segment, if its person asked for that in tmux.conf. Pure. */
import { tmuxLine } from '../../os/tmux/control-words.ts'

/** Set to `on` by the lines of `lull tmux install`: without it nothing is set. */
export const pushOption = '@lull-push'
/** What stands in the status line. */
export const textOption = '@lull'
/** Until when it may be believed, s since the epoch: a host that was killed takes nothing back. */
export const untilOption = '@lull-until'
/** Whose text that is, and which. */
const idOption = '@lull-id'

/** It is set anew so often, and believed so much longer. s */
const renewSeconds = 60
const believedSeconds = 150

/** What the status line shows: the segment, that its host is gone, or nothing where none ever ran or one has ended. */
export const shownFormat = `#{?${untilOption},#{?#{e|>:%s,#{${untilOption}}},lull: no host,#{${textOption}}},}`

export type Segment = {
  readonly text: string
  /** Of the host: letters and digits alone. */
  readonly run: string
  /** How many texts it had before this one. */
  readonly count: number
}

/**
 * One command, which the server carries out where it is wanted at that very moment, and where something is new.
 * @param wall s since the epoch
 */
export function pushWords({ text, run, count }: Segment, wall: number): readonly string[] {
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
export const clearWords = (run: string): readonly string[] =>
  ifWanted(
    `#{m:${run}-*,#{${idOption}}}`,
    [textOption, untilOption, idOption].map(option => ['set-option', '-gu', option]),
  )

const ifWanted = (also: string, commands: readonly (readonly string[])[]): readonly string[] => [
  'if-shell',
  '-F',
  `#{&&:#{==:#{${pushOption}},on},${also}}`,
  commands.map(tmuxLine).join(' ; '),
]
