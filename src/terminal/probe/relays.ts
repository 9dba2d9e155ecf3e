/** Programs that only pass a terminal on. Pure. */

/** Their child has a pseudo terminal of its own, and what it draws is what is seen. */
export const passers: ReadonlySet<string> = new Set([
  'script',
  'sudo',
  'su',
  'runuser',
  'doas',
  'pkexec',
  'expect',
  'unbuffer',
  'asciinema',
  'ttyrec',
  'luit',
  'systemd-run',
])

/** Their programs run elsewhere: a prompt, a running command and a question look the same to the kernel. */
export const remotes: ReadonlySet<string> = new Set([
  'ssh',
  'mosh-client',
  'telnet',
  'docker',
  'podman',
  'kubectl',
  'nerdctl',
  'oc',
  'lxc',
  'incus',
  'machinectl',
  'minicom',
  'picocom',
  'screen',
  'tmux: client',
  'dtach',
  'abduco',
  'zellij',
])

/** They fill the screen themselves, and keep keys for themselves: what they show need not. */
export const multiplexers: ReadonlySet<string> = new Set(['screen', 'tmux: client', 'zellij'])

/** A `lull run` or `lull record`: with a terminal of its own it passes that on. */
export function isOwnRun(args: readonly string[]): boolean {
  const at = args.findIndex(word => /(?:^|\/)lull(?:\.js)?$/.test(word))
  return at >= 0 && at <= 2 && ['run', 'record'].includes(args[at + 1] ?? '')
}

/** What such a program shows changes behind its back: it may sleep all the while. */
export const isRelay = ({
  name,
  args,
}: {
  readonly name: string
  readonly args: readonly string[]
}): boolean => passers.has(name) || remotes.has(name) || isOwnRun(args)
