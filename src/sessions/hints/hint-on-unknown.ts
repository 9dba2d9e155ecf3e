/** The hint on what is unknown, as this person's settings are. They are read only where something is unknown. */
import { installedHooks } from '../../hooks/install/inspect.ts'
import { placesOf } from '../../os/file/places.ts'
import type { LiveSession } from '../session-source.ts'
import { unknownHint } from './unknown-hint-step.ts'

/** A sentence without a full stop; none where nothing is unknown, or nothing can be done about it. */
export function hintOnUnknown(sessions: readonly LiveSession[]): string | undefined {
  const names = sessions.map(({ agent }) => agent)
  const installed = installedHooks({ places: placesOf(), env: process.env, cwd: process.cwd() }, names)
  return unknownHint(sessions, new Set(installed.map(({ agent }) => agent)))
}
