/** `lull completion SHELL`, and `lull complete`, which its script calls at each Tab. */
import type { Command } from 'commander'
import { limitClosing, limitTo } from '../../connect/time-limit.ts'
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { connect } from '../../index.ts'
import { callerContext } from '../../sessions/caller-context.ts'
import { lines, print, tabbed } from '../ui/print.ts'
import { type Proposal, type Proposals, proposalsFor, sessionWords } from './proposals.ts'

// The scripts call `lull complete` at each Tab. Each line of its output is a word, a tab, and its meaning.
const shellNames = ['bash', 'zsh', 'fish'] as const
type ShellName = (typeof shellNames)[number]

/** A line that makes the shell propose files. */
const filesMark = ':files'

const bash = `# lull completion for bash. In ~/.bashrc: eval "$(lull completion bash)"
_lull() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  [[ $current == '=' ]] && current=''
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == '${filesMark}' ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(command lull complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
}
complete -F _lull lull
`

const zsh = `#compdef lull
# lull completion for zsh. In ~/.zshrc, behind compinit: eval "$(lull completion zsh)"
_lull() {
  local line
  local -a shown
  local -i files=0
  while IFS= read -r line; do
    if [[ $line == '${filesMark}' ]]; then
      files=1
    else
      shown+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(command lull complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#shown )) && _describe lull shown
  (( files )) && _files
}
if [[ $funcstack[1] == _lull ]]; then _lull "$@"; else compdef _lull lull; fi
`

const fish = `# lull completion for fish. lull completion fish > ~/.config/fish/completions/lull.fish
function __lull_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command lull complete -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = '${filesMark}'
            __fish_complete_path "$current"
        else
            printf '%s\\n' $line
        end
    end
end
complete -c lull -f -a '(__lull_complete)'
`

const shellScripts: Readonly<Record<ShellName, string>> = { bash, zsh, fish }

export function completionCommand(given: string): void {
  const shell = shellNames.find(name => name === given)
  if (shell === undefined)
    throw new LullError(
      'USAGE',
      `completion ${oneLine(given, 60)}: unknown shell; use ${shellNames.join(', ')}`,
    )
  print(lines(...shellScripts[shell].trimEnd().split('\n')))
}

/** @param typed the words behind `lull`; the last is the one that is being typed */
export async function completeCommand(lull: Command, typed: readonly string[]): Promise<void> {
  const current = typed.at(-1) ?? ''
  const { words, also, prefix = '' } = proposalsFor(lull, typed)
  const all = [...words, ...(await ofMachine(also))].map(one => ({ ...one, word: prefix + one.word }))
  // bash shows a word of `--for=idle` alone.
  const shown = all.filter(({ word }) => word.startsWith(current))
  if (shown.length > 0) print(tabbed(...shown.map(({ word, about }) => [word, oneLine(about, 80)])))
  if (also === 'files') print(lines(filesMark))
}

/** A prompt that does not come back is worse than one without proposals: ms. */
const patienceMs = 2000

async function ofMachine(also: Proposals['also']): Promise<readonly Proposal[]> {
  if (also === undefined || also === 'files') return []
  limitTo(patienceMs)
  await using lull = await connect()
  const sessions = await lull.sessions()
  const meant = also === 'terminals' ? sessions.filter(({ terminal }) => terminal !== undefined) : sessions
  limitClosing(patienceMs)
  return sessionWords(meant, callerContext())
}
