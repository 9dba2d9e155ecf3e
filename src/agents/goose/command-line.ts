/** A tool for migrations of databases has its name: `goose up`, `goose -dir DIR postgres …`. */
import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['goose'],
  firstWord: /^(?:session|s|run|r)$/,
}
