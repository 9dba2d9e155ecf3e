/** Which answers take a second tap: what grants for longer, and what allows something that can't be taken back. Pure. */
import type { AskedOption, OpenDialog } from '../types.ts'

type Destructive = {
  readonly programs: readonly string[]
  /** With one of these words only. */
  readonly words?: readonly string[]
  readonly why: string
}

/** A command that is missing here takes one tap, as at the agent's own keyboard. By the manuals of each program. */
const destructive: readonly Destructive[] = [
  { programs: ['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'wipefs'], why: 'it deletes' },
  { programs: ['find', 'rsync'], words: ['-delete', '--delete', '-exec'], why: 'it deletes' },
  { programs: ['dd', 'mkfs', 'fdisk', 'parted'], why: 'it writes to disks' },
  {
    programs: ['git'],
    words: [
      ...['--force', '-f', '-fd', '-fdx', '--force-with-lease', '--mirror', '--delete', '--hard', '-D'],
      ...['clean', 'restore', 'drop', 'clear', 'filter-branch'],
    ],
    why: 'it drops work in git',
  },
  { programs: ['git'], words: ['push'], why: 'others will see it' },
  {
    programs: ['npm', 'pnpm', 'yarn', 'cargo', 'twine'],
    words: ['publish', 'upload'],
    why: 'others will see it',
  },
  {
    programs: ['terraform', 'tofu', 'pulumi', 'kubectl', 'docker', 'helm'],
    words: ['destroy', 'apply', 'delete', 'drain', 'rm', 'prune', 'down', 'uninstall'],
    why: 'it takes down what runs',
  },
  {
    programs: ['shutdown', 'reboot', 'halt', 'poweroff', 'kill', 'killall', 'pkill'],
    why: 'it ends what runs',
  },
  { programs: ['chmod', 'chown'], words: ['-R', '--recursive'], why: 'it changes many files' },
  { programs: ['sudo', 'doas', 'su'], why: 'it runs as another user' },
]
const sql = /\b(?:drop|truncate)\s+(?:table|database|schema)\b|\bdelete\s+from\b/i
/** What is read from the network goes into a shell. */
const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'python',
  'python3',
  'node',
  'perl',
])

/** Characters that are looked through. */
const mostRead = 20_000

/** @returns why it takes a second tap; undefined where one is enough */
export function whySecondTap(
  dialog: Pick<OpenDialog, 'shows' | 'input'>,
  option: AskedOption,
): string | undefined {
  if (option.refuses) return undefined
  if (option.lasts) return 'it grants more than this once'
  const text = [...dialog.shows, ...textsIn(dialog.input)].join('\n')
  if (text.length > mostRead) return 'it is too long to check'
  if (sql.test(text)) return 'it deletes data'
  const commands = text
    .replaceAll('\\', '')
    .split(/[|;&\n]+/)
    .map(wordsOf)
  const isDownloaded = commands.some(
    (words, at) => isFetch(words) && (runsShell(beforeFetch(words)) || runsShell(commands[at + 1] ?? [])),
  )
  return isDownloaded ? 'it runs what it downloads' : commands.map(whyOf).find(why => why !== undefined)
}

const fetches: ReadonlySet<string> = new Set(['curl', 'wget'])
const isFetch = (words: readonly string[]): boolean => words.some(word => fetches.has(word))
/** `sh -c "$(curl …)"`, `bash <(curl …)`. */
const beforeFetch = (words: readonly string[]): readonly string[] =>
  words.slice(
    0,
    words.findIndex(word => fetches.has(word)),
  )
const runsShell = (words: readonly string[]): boolean =>
  words.some(word => shells.has(word.split('.')[0] ?? ''))

/** Without quotes and folders: `"/bin/rm"` is `rm`. Any word may be a program: `xargs rm`, `env A=1 git push`. */
const wordsOf = (command: string): readonly string[] =>
  command.split(/[\s"'`()]/).flatMap(word => (word === '' ? [] : [word.slice(word.lastIndexOf('/') + 1)]))

const whyOf = (words: readonly string[]): string | undefined =>
  destructive.find(
    ({ programs, words: wanted }) =>
      words.some(word => programs.includes(word) || programs.includes(word.split('.')[0] ?? '')) &&
      (wanted?.some(one => words.includes(one)) ?? true),
  )?.why

/** All texts of an input, however deep. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
