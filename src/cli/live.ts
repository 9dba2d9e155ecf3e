/** The agents that run on this machine now, judged from their status files and transcripts alone. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Session } from '../core/session.ts'
import { attempt } from '../sense/attempt.ts'
import { type Found, findAgents } from '../sense/discover/processes.ts'
import { type Followed, notFollowed, readAppended } from '../sense/transcript/follow.ts'
import { type Decoder, decode, newDecoder } from '../track/decode.ts'
import type { Track } from '../track/track.ts'

type LiveRow = { readonly name: string; readonly session: Session; readonly now: number }

export type LiveAgents = {
  /** Looks at processes and files once, at most every 250 ms. */
  look(): void
  rows(): LiveRow[]
  close(): void
}

type Watched = { found: Found; decoder: Decoder; followed?: Followed; status?: string | undefined }

const lookEveryMs = 250
const searchEveryMs = 2000

export function watchAgents(track: Track): LiveAgents {
  const zero = performance.now()
  const epoch = Date.now()
  const watched = new Map<string, Watched>()
  let looked = -Infinity
  let searched = -Infinity
  const now = () => performance.now() - zero

  function search(): void {
    const running = new Map(findAgents().map(found => [`${found.agent.name}:${found.pid}`, found]))
    for (const id of watched.keys()) {
      if (running.has(id)) continue
      watched.delete(id)
      track.forget(id)
    }
    for (const [id, found] of running) {
      const known = watched.get(id)
      if (known) refresh(known, found)
      if (known || (!found.status && !found.transcript)) continue
      watched.set(id, {
        found,
        decoder: newDecoder(found.agent, epoch),
        ...(found.transcript ? { followed: notFollowed(found.transcript) } : {}),
      })
    }
  }

  /** An agent writes its transcript with the first prompt, and another after /clear. */
  function refresh(agent: Watched, found: Found): void {
    const isOther = found.transcript !== undefined && found.transcript !== agent.found.transcript
    agent.found = found
    if (isOther && found.transcript) agent.followed = notFollowed(found.transcript)
  }

  function readStatus(id: string, agent: Watched): void {
    const { status } = agent.found
    const content = status && attempt(() => readFileSync(status, 'utf8'))
    if (!status || content === undefined || content === agent.status) return
    agent.status = content
    take(id, agent, 'f', { path: status, content })
  }

  function readTranscript(id: string, agent: Watched): void {
    const { followed } = agent
    const appended = followed && attempt(() => readAppended(followed))
    if (!followed) return
    // A file that is gone may come back under its old inode: it is another one then.
    agent.followed = appended?.next ?? notFollowed(followed.path)
    if (!appended) return
    for (const line of appended.lines) take(id, agent, 't', { path: appended.next.path, line })
  }

  function take(id: string, agent: Watched, code: 'f' | 't', data: object): void {
    const decoded = decode(agent.decoder, { line: 0, at: now(), code, data: JSON.stringify(data) })
    agent.decoder = decoded.decoder
    track.file(id, decoded.signals)
  }

  return {
    look() {
      if (now() < looked + lookEveryMs) return
      looked = now()
      if (now() > searched + searchEveryMs) {
        searched = now()
        search()
      }
      for (const [id, agent] of watched) {
        readTranscript(id, agent)
        readStatus(id, agent)
      }
    },
    rows: () =>
      [...watched].flatMap(([id, { found }]) => {
        const session = track.get(id)
        const place = found.cwd ? path.basename(found.cwd) : ''
        return session
          ? [{ name: `${found.agent.name} ${found.pid} ${place}`.trim(), session, now: now() }]
          : []
      }),
    close: () => watched.clear(),
  }
}
