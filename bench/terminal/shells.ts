/** The shells that panes run, each with a prompt that a person could have, and their dot files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Tool } from '../../scripts/setup-bench.ts'

type Shell = {
  readonly tool: Tool
  readonly args?: readonly string[]
  /** Below the home; zsh reads its dot file there. */
  readonly dots?: string
  /** The last line of the screen once the shell reads its first command. */
  readonly prompt: RegExp
}

const usual = /^dev@box:.*[#$]$/
const bare = /^[#$]$/

export const shells = {
  bash: { tool: 'bash', prompt: usual },
  'bash vi': { tool: 'bash', args: ['-o', 'vi'], prompt: usual },
  'bash --noediting': { tool: 'bash', args: ['--noediting'], prompt: usual },
  dash: { tool: 'dash', prompt: bare },
  ksh: { tool: 'ksh', prompt: bare },
  mksh: { tool: 'mksh', prompt: bare },
  ash: { tool: 'busybox', args: ['ash'], prompt: /[#$]$/ },
  fish: { tool: 'fish', prompt: /[>#]$/ },
  zsh: { tool: 'zsh', dots: 'zsh', prompt: /^dev@box .* [%#]$/ },
  'zsh RPROMPT': { tool: 'zsh', dots: 'zsh-right', prompt: /^dev@box .*[%#]\s+\d?\d:\d\d$/ },
  'zsh two lines': { tool: 'zsh', dots: 'zsh-two', prompt: /^❯$/ },
  'zsh lambda': { tool: 'zsh', dots: 'zsh-lambda', prompt: /λ$/ },
  'zsh arrow': { tool: 'zsh', dots: 'zsh-arrow', prompt: /git:\(main\)$/ },
  'zsh clock': { tool: 'zsh', dots: 'zsh-clock', prompt: /\d?\d:\d\d:\d\d %$/ },
} as const satisfies Record<string, Shell>

/** One shell of the table, with the fields that not each has. */
export const shellOf = (name: keyof typeof shells): Shell => shells[name]

const zshrc = {
  zsh: "PROMPT='dev@box %~ %# '",
  'zsh-right': "PROMPT='dev@box %~ %# '; RPROMPT='%T'",
  'zsh-two': "PROMPT=$'%F{cyan}%~%f on main\\n%F{green}❯%f '",
  'zsh-lambda': "PROMPT='%~ λ '",
  'zsh-arrow': "PROMPT='%F{green}➜%f  %1~ git:(main) '; bindkey -v",
  'zsh-clock': "setopt promptsubst; PROMPT='%* %% '; TMOUT=1; TRAPALRM() { zle && zle reset-prompt }",
}

export function writeDotFiles(home: string): void {
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
    writeFileSync(path.join(home, file), `${text}\n`)
  }
  put('.bashrc', "PS1='dev@box:\\w\\$ '\nunset HISTFILE")
  for (const [folder, line] of Object.entries(zshrc))
    put(`${folder}/.zshrc`, `unset HISTFILE; setopt nobeep; PROMPT_EOL_MARK='%%'\n${line}`)
  put('.config/fish/config.fish', 'set -g fish_greeting')
  // Where it is absent, the first fish reads all manual pages to fill it.
  mkdirSync(path.join(home, '.local/share/fish/generated_completions'), { recursive: true })
  put('.gitconfig', '[user]\n\tname = Dev\n\temail = dev@box.test\n[init]\n\tdefaultBranch = main')
  put('.npmrc', 'update-notifier=false\nfund=false')
  put('.sqliterc', '')
}
