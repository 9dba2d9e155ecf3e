/** The link that makes a browser a device with a token of its own: it works once, for a minute. */
import { encode } from 'uqr'
import type { Instant } from '../../core/state.ts'
import type { Places } from '../../os/file/places.ts'
import { baseUrl, type ServeSettings } from '../settings.ts'
import { addCode, type NewPass } from '../tokens.ts'

/** @throws {LullError} as `addCode` does */
export async function newDeviceLink(
  places: Places,
  settings: ServeSettings,
  pass: NewPass,
  now: Instant,
): Promise<string> {
  return `${baseUrl(settings)}/pair?code=${await addCode(places, pass, now)}`
}

/** Around a QR code, readers need so many light modules. */
const border = 4

/** A QR code as rows of its modules: `1` is dark, `0` is light. */
export const qrRows = (text: string): readonly string[] =>
  encode(text, { border }).data.map(row => row.map(isDark => (isDark ? '1' : '0')).join(''))
