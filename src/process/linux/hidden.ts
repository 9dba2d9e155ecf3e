/** Which settings of the kernel forbid looking into processes. */

/** /proc is mounted so that other users' processes are out of sight. */
export function whyHidden(mounts: string): string | undefined {
  const option = /^.* \/proc .* - proc .*\bhidepid=(\w+)/m.exec(mounts)?.[1]
  return option === undefined || option === '0' || option === 'off'
    ? undefined
    : `/proc is mounted with hidepid=${option}`
}

/** A security module forbids to look into programs that lull did not start (Documentation/admin-guide/LSM/Yama.rst). */
export function whyNotOthers(scope: string): string | undefined {
  switch (scope.trim()) {
    case '':
    case '0':
      return undefined
    case '1':
      return 'kernel.yama.ptrace_scope is 1: only programs that lull started'
    case '2':
      return 'kernel.yama.ptrace_scope is 2: only with CAP_SYS_PTRACE'
    default:
      return `kernel.yama.ptrace_scope is ${scope.trim()}: nobody may`
  }
}

/** CAP_SYS_PTRACE of linux/capability.h. */
const mayTrace = 1n << 19n

/** Which files a process holds is shown to its own user alone (proc_fd_permission, fs/proc/fd.c). */
export function whyNotUsers(status: string): string | undefined {
  const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1]
  return held === undefined || (BigInt(`0x${held}`) & mayTrace) !== 0n
    ? undefined
    : 'what they hold is shown to root alone (CAP_SYS_PTRACE)'
}
