import type { DatabaseSync } from 'node:sqlite'

/** `node:sqlite`, without the warning that it is new, which no user can do anything about. */
const loadSqlite = async () => {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => {}
  try {
    return await import('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Opens a database. */
export const openDatabase = async (path: string, readOnly = false): Promise<DatabaseSync> => {
  const sqlite = await loadSqlite()
  return new sqlite.DatabaseSync(path, { readOnly, timeout: 10_000 })
}
