/** Lets the lull of a box do a command that needs the box itself, with the words that were given here. */
import { LullError } from '../core/lull-error.ts'
import { isElsewhere, type OnFlag } from './flags/on-flag.ts'
import { lines, note, print } from './ui/print.ts'

/**
 * @param isShown the command shows something in this terminal until a person leaves it
 * @returns whether the address is of a box: then the command is over, and its exit code is that of the box
 */
export async function ranThere(
  address: string | undefined,
  { on }: OnFlag,
  isShown = false,
): Promise<boolean> {
  if (address === undefined || !isElsewhere({ on }, [address])) return false
  const [{ boxesNamed, readBoxAddress }, { boxesOn, readHosts }, { runOnBox }] = await Promise.all([
    import('../fleet/box-address.ts'),
    import('../fleet/read-hosts.ts'),
    import('../fleet/run-on-box.ts'),
  ])
  const { session, box: named } = readBoxAddress(address)
  const [box, another] = boxesOn(named === undefined ? boxesNamed(on, []) : [named], readHosts(process.env))
  if (!box || another)
    throw new LullError('USAGE', `this runs on one box: name it, like ${session}@${box?.name ?? 'box1'}`)
  const words = process.argv.slice(2).map(word => (word === address ? session : word))
  const output = isShown
    ? undefined
    : {
        onLine: (text: string) => void print(lines(text)),
        onNotice: (text: string) => void note(lines(text)),
      }
  process.exitCode = await runOnBox(box, withoutOn(words), output)
  return true
}

function withoutOn(words: readonly string[]): readonly string[] {
  const at = words.findIndex(word => word === '--on' || word.startsWith('--on='))
  return at < 0 ? words : words.toSpliced(at, words[at] === '--on' ? 2 : 1)
}
