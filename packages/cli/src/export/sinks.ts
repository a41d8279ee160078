import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Checkpoint, LedgerEntry } from '@guild-ledger/sdk'
import { openDatabase } from '../database.ts'
import { withFile } from '../exit.ts'
import { createPart, openText, targetOf, toJson } from '../files.ts'
import { factsOf, readEntries, type FileFacts } from './receipt.ts'
import { createSeen, openMirror, type Identity } from './sqlite.ts'
import type { State, StateFile } from './state.ts'
import type { Tally } from './tally.ts'

/** Where an export goes. */
export interface Sink {
  put(entry: LedgerEntry): Promise<void> | void
  /** What was put is kept whatever happens: a later run continues at the checkpoint. */
  commit(checkpoint: Checkpoint): Promise<void>
  /** Makes the file whole. Returns transactions of earlier runs that this one, a full one, did not find. */
  finish(checkpoint: Checkpoint | undefined): Promise<readonly Identity[]>
  /** What a receipt says of the file, once it is whole. */
  facts(run: Tally): Promise<FileFacts>
  /** Leaves what was committed. */
  discard(): Promise<void>
}

/** Texts of a format. */
export interface TextFormat {
  readonly head: string
  readonly format: (entry: LedgerEntry) => string
  /** What says where a reader has got to. */
  readonly mark?: (checkpoint: Checkpoint) => string
}

/** A text file that is whole or not there, or standard output. */
export const openTextSink = async (path: string | undefined, { head, format, mark }: TextFormat): Promise<Sink> => {
  const output = await openText(path)
  await output.write(head)
  let sha256 = ''
  const commit = async (checkpoint: Checkpoint) => {
    if (!mark) return
    await output.write(mark(checkpoint))
    await output.flush()
  }
  return {
    put: (entry) => output.write(format(entry)),
    commit,
    async finish(checkpoint) {
      if (checkpoint) await commit(checkpoint)
      sha256 = await output.finish()
      return []
    },
    facts: async (run) => ({ ...run, sha256 }),
    discard: () => output[Symbol.asyncDispose](),
  }
}

/** A database: a new one without a state, else the one of earlier runs. */
export const openSqliteSink = async (path: string, state: StateFile | undefined, isFull: boolean): Promise<Sink> => {
  if (state?.isNew) await state.save(state.beginning)
  if (state?.isNew) await rm(await targetOf(path), { force: true })
  const part = state ? undefined : await createPart(path)
  await part?.file.close()
  const mirror = await openMirror(part?.part ?? path)
  const { database } = mirror
  if (part) database.exec('PRAGMA journal_mode = MEMORY') // nobody opens it before it is whole
  const seen = isFull ? createSeen(database, 'transactions') : undefined
  database.exec('BEGIN IMMEDIATE')
  const save = async (checkpoint: Checkpoint | undefined) =>
    checkpoint && state?.save({ ...state.beginning, checkpoint })
  return {
    put(entry) {
      mirror.put(entry)
      seen?.add(entry)
    },
    async commit(checkpoint) {
      if (!state || isFull) return
      database.exec('COMMIT')
      await save(checkpoint)
      database.exec('BEGIN IMMEDIATE')
    },
    async finish(checkpoint) {
      const vanished = seen?.removeVanished() ?? []
      database.exec('COMMIT')
      database.close()
      await part?.replace()
      await save(checkpoint)
      return vanished
    },
    facts: () => factsOf(path, 'sqlite'),
    async discard() {
      if (database.isOpen) database.close()
      await part?.discard()
    },
  }
}

/** Identities of what an NDJSON file holds, beside its state. Locked, because cron starts a second run if one is slow. */
const openIdentities = (statePath: string) => {
  const path = `${statePath}.identities`
  return withFile(`another run uses ${statePath}, or ${path} cannot be written`, async () => {
    const database = await openDatabase(path)
    database.exec(`
      PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE;
      CREATE TABLE IF NOT EXISTS identities (platformId TEXT, transactionId TEXT, PRIMARY KEY (platformId, transactionId))
        WITHOUT ROWID;
      BEGIN IMMEDIATE;
    `)
    return database
  })
}

/**
 * An NDJSON file that later runs append to. Order of a commit: lines, identities, state. What a killed run wrote after its
 * last state is cut off by the next one. A full run writes a new file; once that is complete, a state says so, and
 * whoever finds it gives the file its name.
 */
export const openAppendSink = async (
  given: string,
  statePath: string,
  state: StateFile,
  isFull: boolean,
): Promise<Sink> => {
  const path = await targetOf(given)
  const part = `${path}.part`
  const { isReplacing, ...found } = state.found
  const database = await openIdentities(statePath)
  const insert = database.prepare('INSERT OR IGNORE INTO identities VALUES (?, ?)')
  const remember = ({ platformId, transactionId }: Identity) => void insert.run(platformId, transactionId)
  const commitIdentities = () => database.exec('COMMIT; BEGIN IMMEDIATE')
  if (isReplacing) {
    if (existsSync(part)) await rename(part, path)
    database.exec('DELETE FROM identities')
    for await (const entry of readEntries(path, 'ndjson')) remember(entry)
    commitIdentities()
    await state.save(found)
  }
  if (state.isNew) {
    database.exec('DELETE FROM identities')
    await state.save(state.beginning)
  }
  await rm(part, { force: true })
  const file = isFull ? (await createPart(path)).file : await open(path, 'a')
  const seen = isFull ? createSeen(database, 'identities') : undefined
  let bytes = isFull ? 0 : found.bytes
  await file.truncate(bytes)
  let lines: string[] = []
  const write = async () => {
    const text = lines.join('')
    lines = []
    await file.appendFile(text)
    bytes += Buffer.byteLength(text)
  }
  const save = (checkpoint: Checkpoint, more?: Partial<State>) =>
    state.save({ ...state.beginning, checkpoint, bytes, ...more })
  return {
    put(entry) {
      lines.push(`${toJson(entry)}\n`)
      remember(entry)
      seen?.add(entry)
      return lines.length === 1000 ? write() : undefined
    },
    async commit(checkpoint) {
      if (isFull) return
      await write()
      await file.sync()
      commitIdentities()
      await save(checkpoint)
    },
    async finish(checkpoint = state.beginning.checkpoint) {
      await write()
      await file.sync()
      await file.close()
      const vanished = seen?.removeVanished() ?? []
      if (isFull) {
        await save(checkpoint, { isReplacing: true })
        await rename(part, path)
      }
      commitIdentities()
      await save(checkpoint)
      database.close()
      return vanished
    },
    facts: () => factsOf(path, 'ndjson'),
    async discard() {
      await file.close().catch(() => {})
      if (database.isOpen) database.close()
      if (isFull) await rm(part, { force: true })
    },
  }
}
