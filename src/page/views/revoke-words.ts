/** The warning before a token is revoked: what else ends with it. Pure. */
import { letInBy } from '../../shapes/let-in.ts'
import type { Device } from '../types.ts'
import { visibly } from '../words.ts'

/** @returns empty where it ends one other device alone */
export function revokeWords(
  { name, isThis }: Pick<Device, 'name' | 'isThis'>,
  all: readonly Pick<Device, 'name' | 'by' | 'isThis'>[],
): string {
  const ended = [...letInBy(name, all)]
  const others = ended.filter(one => one !== name).map(visibly)
  const isOut = isThis || all.some(one => one.isThis && ended.includes(one.name))
  return [
    others.length === 0
      ? ''
      : `${others.join(', ')} ${others.length === 1 ? 'was' : 'were'} let in by it, and end${others.length === 1 ? 's' : ''} with it.`,
    isOut ? 'That locks out this browser: to come back you need the machine where lull runs.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}
