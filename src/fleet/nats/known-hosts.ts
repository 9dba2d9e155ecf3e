/**
 * The hosts of the fleet as this machine saw them last: while the server is away, their names mean the fleet, not what ssh reaches under
 * the same name, where other rights hold.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../../os/attempt.ts'
import { readJsonFile, writeJsonFile } from '../../os/file/json-file.ts'
import { makeOwnFolder, type Places } from '../../os/file/places.ts'
import { fleetPlaces } from './fleet-settings.ts'

const knownFile = (places: Places): string => path.join(fleetPlaces(places).state, 'hosts.json')

/** None where they can't be read: then all names are of ssh. */
export function readKnownHosts(places: Places): readonly string[] {
  const file = knownFile(places)
  const { hosts } = (existsSync(file) && attempt(() => readJsonFile(file))) || {}
  return Array.isArray(hosts) ? hosts.filter(name => typeof name === 'string') : []
}

/** What can't be written is no reason to show less. */
export function keepKnownHosts(places: Places, hosts: readonly string[]): void {
  const before = readKnownHosts(places)
  if (before.length === hosts.length && hosts.every(name => before.includes(name))) return
  attempt(() => {
    makeOwnFolder(fleetPlaces(places).state)
    writeJsonFile(knownFile(places), { hosts })
  })
}
