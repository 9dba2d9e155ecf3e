/** What an agent prints in a terminal of lull's own: its program status, titles and paint. Nothing has to be switched on for that. */
import { StringDecoder } from 'node:string_decoder'
import { placesOf } from '../../os/file/places.ts'
import { hearOutput } from '../../owned/hear-output.ts'
import { terminalRequests } from '../../owned/terminal-requests.ts'

/** @returns the way to stop */
export function listenToOwned(terminal: string, onText: (text: string) => void): () => Promise<void> {
  const decoder = new StringDecoder('utf8')
  const output = hearOutput(terminalRequests(placesOf().terminals), terminal, {
    onBegin: () => undefined,
    onBytes: bytes => onText(decoder.write(bytes)),
    onLost: () => undefined,
  })
  void output.start()
  return output.stop
}
