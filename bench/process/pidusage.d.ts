declare module 'pidusage' {
  export default function pidusage(pids: readonly number[]): Promise<Record<number, { cpu: number }>>
}
