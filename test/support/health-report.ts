/** A report of a process that reads its stdin, as whoever looks into it writes it. */
import type { Health } from '../../src/core/state.ts'
import { writeReport } from '../../src/process/health-report.ts'

export const report = (level: Health['level'], certainty: Health['certainty'], more: object = {}): string =>
  writeReport({
    pid: 7,
    health: { level, cause: 'stdin', certainty },
    held: 2000,
    reason: 'blocked 2 s: cat(7) reads its stdin',
    summary: 'cat(7) reads its stdin',
    safeToKill: false,
    cause: 'stdin',
    proof: 'proven',
    metrics: {
      cpuPercent: 0,
      delayPercent: 0,
      ioBytes: 0,
      connections: 0,
      threads: 1,
      fds: 3,
      residentBytes: 1,
      processes: 1,
    },
    ...more,
  })
