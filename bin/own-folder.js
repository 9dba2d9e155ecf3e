/**
 * Whether a folder is this user's alone, so that what lies in it may be believed and run: nobody else has made it, may
 * write in it, or could put another in its place. Root may always. Plain JavaScript, since bin/lull.js must know before
 * it lets Node read or keep compiled code, and to strip the types of a first file takes 40 ms.
 */
import { lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** @typedef {import('./own-folder.d.ts').Standing} Standing */
/** @typedef {import('node:fs').Stats} Stats */

/**
 * Who may own a folder above: whoever owns `/` may change everything (root, but in a user namespace also `nobody`).
 * @typedef {{ readonly self: number | undefined, readonly system: number }} Trusted
 */

/** As many as Linux follows in one path. */
const mostLinks = 40

/**
 * Every folder above must belong to the system or to this user, and nobody else may write in it unless it is sticky, as
 * /tmp is: there others can't replace what is not theirs. Links above are followed where the same holds for the link
 * (/var and /tmp are links on macOS). The folder itself is no link, belongs to this user, and others may not write in it.
 * @param {string} folder
 * @returns {Standing}
 */
export function standingOf(folder) {
  if (!path.isAbsolute(folder)) return { refused: `${folder} is a relative path: give it from / on` }
  const left = path.normalize(folder).split('/').filter(Boolean)
  const root = lstatSync('/')
  /** @type {Trusted} */
  const trusted = { self: process.geteuid?.(), system: root.uid }
  let at = '/'
  let stat = root
  let links = 0
  for (;;) {
    const isLast = left.length === 0
    const why = isLast ? whyNotOwn(at, stat, trusted) : whyReplaceable(at, stat, trusted)
    if (why !== undefined) return { refused: isLast ? why : `${folder} is not safe, since ${why}` }
    if (isLast) return 'own'
    if (stat.isSymbolicLink()) {
      if (++links > mostLinks) return { refused: `${folder} is not safe, since its links lead in a circle` }
      const target = readlinkSync(at)
      left.unshift(...target.split('/').filter(part => part !== '' && part !== '.'))
      at = path.isAbsolute(target) ? '/' : path.dirname(at)
    } else {
      at = path.join(at, /** @type {string} */ (left.shift()))
    }
    const next = look(at)
    if (next === 'missing') return next
    if (typeof next === 'string') return { refused: `${folder} can't be looked at: ${next}` }
    stat = next
  }
}

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
function whyReplaceable(at, stat, { self, system }) {
  if (stat.uid !== 0 && stat.uid !== system && stat.uid !== self)
    return `${at} belongs to another user (${stat.uid})`
  if (stat.isSymbolicLink()) return undefined
  if (!stat.isDirectory()) return `${at} is no folder`
  return isOpenToOthers(stat) && !isSticky(stat) ? `others may write in ${at} (${modeOf(stat)})` : undefined
}

/**
 * @param {string} at
 * @param {Stats} stat
 * @param {Trusted} trusted
 */
function whyNotOwn(at, stat, { self }) {
  if (stat.isSymbolicLink()) return `${at} is a link, and must be the folder itself`
  if (!stat.isDirectory()) return `${at} is no folder`
  if (stat.uid !== self) return `${at} belongs to another user (${stat.uid})`
  if (!isOpenToOthers(stat)) return undefined
  return `others may write in ${at} (${modeOf(stat)}): remove it, or see what is in it and chmod 700 it`
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
