/** What an agent prints in a terminal of lull's own: its program status, titles and paint. Nothing has to be switched on for that. */
import { StringDecoder } from 'node:string_decoder'
import { placesOf } from '../../../os/file/places.ts'
import { readStat } from '../../../os/proc/stat.ts'
import { hearOutput } from '../../../owned/hear-output.ts'
import { terminalRequests } from '../../../owned/terminal-requests.ts'

/** @param pid the agent's @returns the way to stop */
export function listenToOwned(
  terminal: string,
  pid: number,
  onText: (text: string) => void,
): () => Promise<void> {
  const decoder = new StringDecoder('utf8')
  const output = hearOutput(terminalRequests(placesOf().terminals), terminal, {
    onBegin: () => undefined,
    onBytes(bytes) {
      const text = decoder.write(bytes)
      if (hasTerminal(pid)) onText(text)
    },
    onLost: () => undefined,
  })
  void output.start()
  return output.stop
}

/** What a shell prints in front of an agent that was stopped is not the agent's. */
function hasTerminal(pid: number): boolean {
  const stat = readStat(pid)
  return stat !== undefined && stat.foreground === stat.group
}
