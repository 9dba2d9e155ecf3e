/** Node's own SQLite. It is loaded when the first store is opened: who keeps no history does not wait for it. */
import type { DatabaseSync } from 'node:sqlite'
import { LullError } from '../core/lull-error.ts'

type Sqlite = { readonly DatabaseSync: typeof DatabaseSync }

/**
 * The versions of Node that call it experimental say so on stderr when it is loaded, which is news to nobody who runs lull.
 * An `import` would say it before any code could keep it back.
 * @throws {LullError} BAD_HISTORY where this Node was built without it
 */
export function loadSqlite(): Sqlite {
  const { emitWarning } = process
  const others = ((warning: string | Error, ...more: unknown[]) => {
    if (!/\bSQLite\b/.test(String(warning))) Reflect.apply(emitWarning, process, [warning, ...more])
  }) as typeof process.emitWarning
  process.emitWarning = others
  try {
    const sqlite: Sqlite | undefined = process.getBuiltinModule('node:sqlite')
    if (sqlite) return sqlite
  } finally {
    process.emitWarning = emitWarning
  }
  throw new LullError('BAD_HISTORY', `the history needs a Node.js with SQLite, and this one has none`)
}
