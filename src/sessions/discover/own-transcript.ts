/** Whether a file may be the transcript of a session: it lies where its agent keeps them. */
import { isAgentName } from '../../agents/agent-names.ts'
import { agents } from '../../agents/registry.ts'
import type { LiveSession } from '../session-source.ts'
import { isTranscriptOf } from './agent-file-search.ts'
import { readSurroundings } from './surroundings.ts'

export const isOwnTranscript = ({ agent, pid }: LiveSession, file: string): boolean =>
  isAgentName(agent) && isTranscriptOf(agents[agent], file, readSurroundings(pid))
