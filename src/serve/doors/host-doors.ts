/** The doors of a host: the API over TCP, and the fleet. */
import type { DoorPorts } from '../../host/host.ts'
import type { HostDoor } from '../../host/host-door.ts'
import { fleetDoor } from './fleet-door.ts'
import { serveDoor } from './serve-door.ts'

export function hostDoors(ports: DoorPorts): HostDoor {
  const [api, fleet] = [serveDoor(ports), fleetDoor(ports)]
  return {
    ...api,
    async update() {
      await Promise.all([api.update(), fleet.update()])
    },
    async close() {
      await Promise.all([api.close(), fleet.close()])
    },
  }
}
