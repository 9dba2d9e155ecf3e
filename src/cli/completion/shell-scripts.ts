/** What each shell is told, once: it asks lull at each Tab. Each line of the answer is a word, a tab, and what it is. */

export const shellNames = ['bash', 'zsh', 'fish'] as const
export type ShellName = (typeof shellNames)[number]

/** Said in place of words where the shell's own files are meant. */
export const filesMark = ':files'

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

export const shellScripts: Readonly<Record<ShellName, string>> = { bash, zsh, fish }
