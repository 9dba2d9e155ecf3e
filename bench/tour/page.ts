/** The `console` blocks of docs/tour.md: read, held against what was played, written anew. Pure. */
import { squeezed } from './stable.ts'

export type Shown = { readonly command: string; readonly printed: string }

const block = /^```console\n\$ (.*)\n([\s\S]*?)^```$/gm

/** What stands in the page: one command in each block. */
export const shownIn = (page: string): readonly Shown[] =>
  [...page.matchAll(block)].map(([, command = '', printed = '']) => ({ command, printed: printed.trimEnd() }))

/** The page with what was played in its blocks, in their order; of a command that it does not have nothing is written. */
export function written(page: string, played: readonly Shown[]): string {
  const left = [...played]
  return page.replace(block, (old, command: string) => {
    const index = left.findIndex(one => one.command === command)
    if (index < 0) return old
    const [one] = left.splice(0, index + 1).slice(-1)
    return `\`\`\`console\n$ ${command}\n${one?.printed ? `${one.printed}\n` : ''}\`\`\``
  })
}

/** Each block that is not what was played, as a person reads it. */
export function differences(page: string, played: readonly Shown[]): readonly string[] {
  const shown = shownIn(page)
  return Array.from({ length: Math.max(shown.length, played.length) }, (_, n) => n).flatMap(n => {
    const [told, came] = [shown[n], played[n]]
    if (told?.command !== came?.command)
      return [
        `block ${n + 1} is \`${told?.command ?? 'missing'}\`, played was \`${came?.command ?? 'nothing'}\``,
      ]
    if (!told || !came || squeezed(told.printed) === squeezed(came.printed)) return []
    return [`\`${told.command}\`: the page has\n${told.printed}\nand it printed\n${came.printed}`]
  })
}
