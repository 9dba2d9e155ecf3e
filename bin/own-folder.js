/**
 * Who decides what stands at a path: whether another user has made it, may write in it, or could put another in its place.
 * Root may always. Plain JavaScript, since bin/lull.js must know before it lets Node read or keep compiled code, and to
 * strip the types of a first file takes 40 ms.
 */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** @typedef {import('./own-folder.d.ts').Standing} Standing */
/** @typedef {import('./own-folder.d.ts').Decider} Decider */
/** @typedef {import('node:fs').Stats} Stats */

/**
 * Who may own what: whoever owns `/` may change everything (root, but in a user namespace also `nobody`).
 * @typedef {{ readonly self: number | undefined, readonly system: number }} Trusted
 */

/**
 * Where a path leads to. `isOpen`: nothing is there, and anybody may put something there.
 * @typedef {{ readonly at: string, readonly stat: Stats } | { readonly isOpen: boolean } | { readonly why: string }} End
 */

/** As many as Linux follows in one path. */
const mostLinks = 40

/**
 * Whether a folder is this user's alone, so that what lies in it may be believed and run. The folder itself is no link,
 * belongs to this user, and others may not write in it; what is above is as `whoDecides` wants it.
 * @param {string} folder
 * @returns {Standing}
 */
export function standingOf(folder) {
  if (!path.isAbsolute(folder)) return { refused: `${folder} is a relative path: give it from / on` }
  const trusted = trustedHere()
  const end = follow(folder, trusted, false)
  if ('why' in end) return { refused: `${folder} is not safe, since ${end.why}` }
  if ('isOpen' in end) return 'missing'
  const refused = whyNotOwn(end.at, end.stat, trusted)
  return refused === undefined ? 'own' : { refused }
}

/**
 * Who decides what stands at a path, links followed: this user and the system alone (`own`, and `missing` where nothing is
 * there), whoever comes first (`anybody`: nothing is there yet), or somebody else. Each folder above must belong to the
 * system or to this user, and nobody else may write in it unless it is sticky, as /tmp is: there others can't replace what
 * is not theirs. The same holds for each link (/var and /tmp are links on macOS).
 * @param {string} file absolute
 * @returns {Decider}
 */
export function whoDecides(file) {
  const trusted = trustedHere()
  const end = follow(file, trusted, true)
  if ('why' in end) return { other: end.why }
  if ('isOpen' in end) return end.isOpen ? 'anybody' : 'missing'
  const other = whyReplaceable(end.at, end.stat, trusted)
  return other === undefined ? 'own' : { other }
}

/**
 * Whether what has this owner is this user's or the system's.
 * @param {Pick<Stats, 'uid'>} stat
 */
export const isOwnOrSystem = stat => isTrusted(stat, trustedHere())

/**
 * @param {Pick<Stats, 'uid'>} stat
 * @param {Trusted} trusted
 */
const isTrusted = ({ uid }, { self, system }) => uid === 0 || uid === system || uid === self

/** @returns {Trusted} */
const trustedHere = () => ({ self: process.geteuid?.(), system: lstatSync('/').uid })

/**
 * @param {string} file
 * @param {Trusted} trusted
 * @param {boolean} isLastFollowed it may be a link itself
 * @returns {End}
 */
function follow(file, trusted, isLastFollowed) {
  const left = path.normalize(file).split('/').filter(Boolean)
  let at = '/'
  let stat = lstatSync(at)
  let links = 0
  for (;;) {
    if (left.length === 0 && !(isLastFollowed && stat.isSymbolicLink())) return { at, stat }
    const why = whyReplaceable(at, stat, trusted) ?? (leadsOn(stat) ? undefined : `${at} is no folder`)
    if (why !== undefined) return { why }
    if (stat.isSymbolicLink()) {
      if (++links > mostLinks) return { why: 'its links lead in a circle' }
      const target = readlinkSync(at)
      left.unshift(...target.split('/').filter(part => part !== '' && part !== '.'))
      at = path.isAbsolute(target) ? '/' : path.dirname(at)
    } else {
      at = path.join(at, /** @type {string} */ (left.shift()))
    }
    const next = look(at)
    if (next === 'missing') return { isOpen: isOpenToOthers(lstatSync(path.dirname(at))) }
    if (typeof next === 'string') return { why: `it can't be looked at: ${next}` }
    stat = next
  }
}

/** @param {Stats} stat */
const leadsOn = stat => stat.isDirectory() || stat.isSymbolicLink()

/**
 * @param {string} at
 * @returns {Stats | string} why not, where it can't be
 */
function look(at) {
  try {
    return lstatSync(at)
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    return code === 'ENOENT' ? 'missing' : message
  }
}

/**
 * @param {string} at
 * @param {Stats} stat
 * @param {Trusted} trusted
 */
function whyReplaceable(at, stat, trusted) {
  if (!isTrusted(stat, trusted)) return belongsToOther(at, stat)
  if (stat.isFile() || (stat.isDirectory() && !isSticky(stat))) return whyOpen(at, stat)
  return undefined
}

/**
 * @param {string} at
 * @param {Stats} stat
 * @param {Trusted} trusted
 */
function whyNotOwn(at, stat, { self }) {
  if (stat.isSymbolicLink()) return `${at} is a link, and must be the folder itself`
  if (!stat.isDirectory()) return `${at} is no folder`
  if (stat.uid !== self) return belongsToOther(at, stat)
  const open = whyOpen(at, stat)
  // Of a folder that all share, as /tmp, nobody is to take the rights.
  return open && (isSticky(stat) ? `${open}: it is shared` : `${open}: see what is in it, then chmod 700 it`)
}

/**
 * @param {string} at
 * @param {Stats} stat
 */
const belongsToOther = (at, { uid }) => `${at} belongs to another user (${userName(uid)})`

/**
 * @param {string} at
 * @param {Stats} stat
 */
export const whyOpen = (at, stat) =>
  isOpenToOthers(stat) ? `others may write in ${at} (${modeOf(stat)})` : undefined

/**
 * As /etc/passwd has it; the number where it does not know it.
 * @param {number} uid
 */
export function userName(uid) {
  try {
    const known = new RegExp(`^([^:]+):[^:]*:${uid}:`, 'm').exec(readFileSync('/etc/passwd', 'utf8'))
    return known?.[1] ?? String(uid)
  } catch {
    return String(uid)
  }
}

/**
 * A group with the number of the owner is the owner's own: root's, or the private one that most systems give each user,
 * whose folders are often writable for it (umask 002).
 * @param {Stats} stat
 */
const isOpenToOthers = ({ mode, uid, gid }) => (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid)

/** @param {Stats} stat */
const isSticky = ({ mode }) => (mode & 0o1000) !== 0

/** @param {Stats} stat */
const modeOf = ({ mode }) => (mode & 0o7777).toString(8).padStart(4, '0')
