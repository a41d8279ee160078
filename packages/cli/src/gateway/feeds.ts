import { EventEmitter, once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Checkpoint, GuildLedger, LedgerEntry, Watch } from '@guild-ledger/sdk'
import { usageError, withFile } from '../exit.ts'
import { timeOf } from '../flags.ts'
import { openDatabase } from '../database.ts'
import { toJson } from '../files.ts'
import { beginNow } from '../watch.ts'
import { HttpError } from './access.ts'

const schema = `
  PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS watch (id INTEGER PRIMARY KEY CHECK (id = 1), checkpoint TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS feeds (
    name TEXT PRIMARY KEY, last INTEGER NOT NULL DEFAULT 0, sent INTEGER NOT NULL DEFAULT 0,
    acknowledged INTEGER NOT NULL DEFAULT 0, since TEXT
  );
  CREATE TABLE IF NOT EXISTS items (
    feed TEXT, position INTEGER, identity TEXT, line TEXT, addedAt INTEGER, PRIMARY KEY (feed, position), UNIQUE (feed, identity)
  );
`

/** An acknowledged transaction is remembered for so long, because a feed that reads the past may meet it again. */
const rememberedMs = 60 * 60 * 1000

/** One watch, and for each feed a queue of what its reader has not acknowledged. `folder` keeps them, if there is one. */
export const openFeeds = async (ledger: GuildLedger, folder: string | undefined, onLate: (seconds: number) => void) => {
  const path = folder === undefined ? ':memory:' : join(folder, 'feeds.sqlite')
  const database = await withFile(`--state ${folder} is in use by another gateway, or cannot be written`, async () => {
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
    const opened = await openDatabase(path)
    opened.exec(schema)
    return opened
  })
  const changed = new EventEmitter().setMaxListeners(0)
  const statements = {
    checkpoint: database.prepare('SELECT checkpoint FROM watch'),
    save: database.prepare('REPLACE INTO watch VALUES (1, ?)'),
    names: database.prepare('SELECT name, since FROM feeds'),
    feed: database.prepare('SELECT * FROM feeds WHERE name = ?'),
    create: database.prepare('INSERT INTO feeds (name, since) VALUES (?, ?)'),
    known: database.prepare('SELECT 1 FROM items WHERE feed = ? AND identity = ?'),
    next: database.prepare('UPDATE feeds SET last = last + 1 WHERE name = ? RETURNING last'),
    add: database.prepare('INSERT INTO items VALUES (?, ?, ?, ?, ?)'),
    filled: database.prepare('UPDATE feeds SET since = NULL WHERE name = ?'),
    items: database.prepare('SELECT position, line FROM items WHERE feed = ? AND position > ? ORDER BY 1 LIMIT 100'),
    sent: database.prepare('UPDATE feeds SET sent = max(sent, ?) WHERE name = ?'),
    acknowledge: database.prepare('UPDATE feeds SET acknowledged = max(acknowledged, ?) WHERE name = ?'),
    forget: database.prepare('DELETE FROM items WHERE feed = ? AND position <= ? AND addedAt < ?'),
  }
  interface Feed {
    readonly name: string
    readonly sent: number
    readonly acknowledged: number
    readonly since: string | null
  }
  const feedOf = (name: string) => statements.feed.get(name) as unknown as Feed | undefined
  const transaction = (step: () => void) => {
    database.exec('BEGIN')
    try {
      step()
      database.exec('COMMIT')
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK')
    }
    changed.emit('change')
  }
  const add = (feed: string, entry: LedgerEntry) => {
    const identity = JSON.stringify([entry.platformId, entry.transactionId])
    if (statements.known.get(feed, identity)) return
    const next = statements.next.get(feed)
    if (!next) return // it was removed
    statements.add.run(feed, Number(next.last), identity, toJson(entry), Date.now())
  }

  /** What the watch yields while feeds read the past, which comes first. */
  const pending = new Map<string, LedgerEntry[]>()
  const fill = async ({ name, since }: Pick<Feed, 'name' | 'since'>, signal: AbortSignal) => {
    pending.set(name, [])
    const past = { signal, since: since ?? 'now', follow: false, retryForMs: Number.POSITIVE_INFINITY }
    for await (const entry of ledger.transactions.watch({}, past)) transaction(() => add(name, entry))
    transaction(() => {
      for (const entry of pending.get(name) ?? []) add(name, entry)
      statements.filled.run(name)
    })
    pending.delete(name)
  }
  const receive = (entry: LedgerEntry, checkpoint: Checkpoint) => {
    onLate(Math.max(0, (Date.now() - timeOf(entry)) / 1000))
    transaction(() => {
      for (const { name } of statements.names.all() as unknown as Feed[]) {
        const waiting = pending.get(name)
        if (waiting) waiting.push(entry)
        else add(name, entry)
      }
      statements.save.run(JSON.stringify(checkpoint))
    })
  }

  const begun = Promise.withResolvers<void>()
  let watch: Watch | undefined
  let begunAt: Date | undefined
  let stop: AbortSignal | undefined
  return {
    lastPollAt: () => watch?.lastPollAt ?? begunAt,
    /** Watches until `signal`. Rejects if the service does not accept the first request. */
    async run(intervalMs: number, signal: AbortSignal): Promise<void> {
      stop = signal
      const { watched } = ledger.transactions.watch().checkpoint
      const row = statements.checkpoint.get()
      const stored = row && (JSON.parse(String(row.checkpoint)) as Checkpoint)
      if (stored && stored.watched !== watched)
        throw usageError(
          `--state ${folder} is about ${stored.watched}, this call about ${watched}: give each its own folder`,
        )
      const since = stored ?? (await beginNow(ledger, {}, signal))
      if (!stored) begunAt = new Date()
      statements.save.run(JSON.stringify(since))
      for (const feed of statements.names.all() as unknown as Feed[])
        if (feed.since !== null) void fill(feed, signal).catch(() => {})
      begun.resolve()
      // The poll that found where to begin was a moment ago.
      if (!stored) await sleep(intervalMs, undefined, { signal }).catch(() => {})
      watch = ledger.transactions.watch({}, { signal, since, intervalMs, retryForMs: Number.POSITIVE_INFINITY })
      for await (const entry of watch) receive(entry, watch.checkpoint)
    },
    /** Begins a feed, unless there is one of that name: what appears from now on, or from a date on, is in it. */
    async open(name: string, since: string | undefined, signal: AbortSignal): Promise<void> {
      await Promise.race([begun.promise, once(signal, 'abort')])
      if (feedOf(name)) return
      statements.create.run(name, since ?? null)
      if (since !== undefined && stop) void fill({ name, since }, stop).catch(() => {})
    },
    /** Lines for a reader of a feed, from the first one that was not acknowledged, until `signal`. */
    async *read(name: string, signal: AbortSignal): AsyncGenerator<string> {
      let from = feedOf(name)?.acknowledged ?? 0
      while (!signal.aborted && feedOf(name)) {
        const items = statements.items.all(name, from) as unknown as { position: number; line: string }[]
        const last = items.at(-1)
        if (!last) {
          await once(changed, 'change', { signal }).catch(() => {})
          continue
        }
        from = last.position
        statements.sent.run(from, name)
        yield items.map(({ position, line }) => `{"position":${position},"transaction":${line}}\n`).join('')
      }
    },
    /** @throws {HttpError} The position was never sent. */
    acknowledge(name: string, position: unknown): void {
      const feed = feedOf(name)
      if (!feed) throw new HttpError(404, `There is no feed ${name}`)
      if (!Number.isSafeInteger(position) || (position as number) < 1 || (position as number) > feed.sent)
        throw new HttpError(409, `The position was never sent to ${name}`)
      statements.acknowledge.run(position as number, name)
      statements.forget.run(name, position as number, Date.now() - rememberedMs)
    },
    remove(name: string): void {
      database.prepare('DELETE FROM feeds WHERE name = ?').run(name)
      database.prepare('DELETE FROM items WHERE feed = ?').run(name)
      changed.emit('change')
    },
    close: (): void => database.close(),
  }
}

export type Feeds = Awaited<ReturnType<typeof openFeeds>>
