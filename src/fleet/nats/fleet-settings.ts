/** The fleet that this machine belongs to, kept in a file: its host joins it again when it starts. */
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import { readJsonFile, writeJsonFile } from '../../os/file/json-file.ts'
import { makeOwnFolder, type Places } from '../../os/file/places.ts'
import { type Share, shares } from '../share/share.ts'
import type { FleetScope } from './subjects.ts'

export type FleetSettings = {
  /** `nats://hub:4222`, or `tls://…`. */
  readonly url: string
  /** A file of credentials of that server. */
  readonly creds?: string
  /** Under which its host is shown; undefined on a machine that only looks. */
  readonly name?: string
  /** By which other hosts know who asks. */
  readonly who: string
  /** What leaves this machine. */
  readonly share: Share
  /** Whoever reaches the server may act on this machine: a person has said so. */
  readonly withoutKeys?: true
  /** What this machine asks to do on others. */
  readonly scope: FleetScope
}

const settingsFile = ({ state }: Places): string => path.join(state, 'fleet.json')

/** Undefined where it has joined none. @throws {LullError} REFUSED_FILE */
export function readFleet(places: Places): FleetSettings | undefined {
  const file = settingsFile(places)
  if (!existsSync(file)) return undefined
  const { url, creds, name, who, share, scope, withoutKeys } = readJsonFile(file)
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  if (text(url) === undefined)
    throw new LullError(
      'REFUSED_FILE',
      `${file} holds no settings of a fleet: lull fleet join writes it anew`,
    )
  return {
    url: text(url) ?? '',
    who: text(who) ?? text(name) ?? '',
    share: shares.find(one => one === share) ?? 'states',
    scope: scope === 'act' ? 'act' : 'read',
    ...(withoutKeys === true ? { withoutKeys } : {}),
    ...defined({ creds: text(creds), name: text(name) }),
  }
}

export function writeFleet(places: Places, settings: FleetSettings): void {
  makeOwnFolder(places.state)
  writeJsonFile(settingsFile(places), settings, 2)
}

export const forgetFleet = (places: Places): void => rmSync(settingsFile(places), { force: true })

/** What this machine keeps of its fleet, beside its own history. */
export const fleetPlaces = (places: Places): Places => ({
  ...places,
  state: path.join(places.state, 'fleet'),
})
