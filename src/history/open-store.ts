/** The file of the history, held open: opened anew where it was replaced, mended where it is damaged. */
import type { DatabaseSync } from 'node:sqlite'
import { attempt } from '../os/attempt.ts'
import { hasOwnFolder, makeOwnFolder, type Places } from '../os/file/places.ts'
import { openReader, openWriter } from './open-database.ts'
import { isDamage, refusedStore } from './sqlite-error.ts'
import { identityOf, storeFile } from './store-file.ts'

type Store = {
  /**
   * @returns what `act` does; undefined where there is no store to be read yet
   * @throws {LullError} as `openHistory` does
   */
  use<T>(act: (database: DatabaseSync) => T): T | undefined
  /** As it is open now. */
  database(): DatabaseSync | undefined
  /** A damaged one that was moved aside, in sentences. More may come. */
  readonly notices: readonly string[]
  close(): void
}

/** @throws {LullError} as `openHistory` does */
export function openStore(places: Places, readOnly: boolean): Store {
  const file = storeFile(places)
  const notices: string[] = []
  let database: DatabaseSync | undefined
  let identity: string | undefined

  function open(isDamaged = false): DatabaseSync | undefined {
    attempt(() => database?.close())
    database = undefined
    if (readOnly) {
      database = hasOwnFolder(places.state) ? openReader(file) : undefined
    } else {
      makeOwnFolder(places.state)
      database = openWriter(file, notice => notices.push(notice), isDamaged)
    }
    identity = identityOf(file)
    return database
  }

  /** What is written into a file that was removed, or moved aside by another process, nobody would ever read. */
  const current = (): DatabaseSync | undefined =>
    database && identityOf(file) === identity ? database : open()

  open()
  return {
    /** Damage that shows only now is mended as well: once. */
    use(act) {
      try {
        const found = current()
        return found && act(found)
      } catch (error) {
        if (readOnly || !isDamage(error)) throw refusedStore(error, file, readOnly ? 'read' : 'written')
      }
      try {
        const mended = open(true)
        return mended && act(mended)
      } catch (error) {
        throw refusedStore(error, file)
      }
    },
    database: () => database,
    notices,
    close() {
      attempt(() => database?.close())
      database = undefined
    },
  }
}
