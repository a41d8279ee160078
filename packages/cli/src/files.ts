import { createHash } from 'node:crypto'
import { write as writeToFile } from 'node:fs'
import { open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isObject } from '@guild-ledger/validation'
import { readFileOf, useJson } from '@guild-ledger/validation/command-line'
import { usageError, withFile } from './exit.ts'

const write = promisify(writeToFile)

/**
 * Writes all of a text, in the thread pool: a slow reader of a pipe must not stop the event loop, which times requests and
 * notices Ctrl+C.
 */
const writeAll = async (fd: number, text: string | Buffer): Promise<void> => {
  for (let rest = Buffer.from(text as string); rest.length > 0;) {
    try {
      const { bytesWritten } = await write(fd, rest)
      rest = rest.subarray(bytesWritten)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      await sleep(10)
    }
  }
}

/** Writes to standard output, and resolves when the operating system has the text. */
export const writeOut = (text: string): Promise<void> => withFile('standard output', () => writeAll(1, text))

/** Where text goes: a file, or standard output. */
export interface TextOutput {
  /** Takes a text; a promise where it has to be waited for. */
  write(text: string): Promise<void> | undefined
  /** Writes what was taken. */
  flush(): Promise<void>
  /** Makes the file whole. Returns the sha256 of everything written. */
  finish(): Promise<string>
  /** Leaves nothing of the file. */
  discard(): Promise<void>
}

/** JSON that every reader takes: of a text that was cut within an emoji, many reject the half that is left. */
export const toJson = (value: object): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'string' ? one.replaceAll(/\p{Surrogate}/gu, '\uFFFD') : one,
  )

const chunkLength = 65_536

/** The file that a path leads to: through links, which a rename would replace. */
export const targetOf = (path: string): Promise<string> => realpath(path).catch(() => path)

/** Creates the file that replaces another one once it is whole, with the same permissions. */
export const createPart = async (part: string, path: string): Promise<FileHandle> => {
  await rm(part, { force: true })
  const replaced = await stat(path).catch(() => undefined)
  const file = await open(part, 'w', replaced?.mode)
  if (replaced) await file.chmod(replaced.mode)
  return file
}

/** A file that gets its name when it is whole, or standard output without a path. */
export const openText = async (given: string | undefined): Promise<TextOutput> => {
  const path = given === undefined ? undefined : await targetOf(given)
  const part = `${path}.part`
  const what = given === undefined ? 'standard output' : `${given} cannot be written`
  const file = path === undefined ? undefined : await withFile(what, () => createPart(part, path))
  const hash = createHash('sha256')
  let pending = ''
  const flush = async () => {
    const text = pending
    pending = ''
    hash.update(text)
    await withFile(what, () => writeAll(file?.fd ?? 1, text))
  }
  return {
    write(text) {
      pending += text
      return pending.length >= chunkLength ? flush() : undefined
    },
    flush,
    async finish() {
      await flush()
      await withFile(what, async () => {
        await file?.sync()
        await file?.close()
        if (path !== undefined) await rename(part, path)
      })
      return hash.digest('hex')
    },
    async discard() {
      await file?.close().catch(() => {})
      if (file) await rm(part, { force: true })
    },
  }
}

/** Writes a small file whole or not at all. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const output = await openText(path)
  try {
    await output.write(text)
    await output.finish()
  } catch (error) {
    await output.discard()
    throw error
  }
}

/** The JSON object in a file that an option names. */
export const readJson = (flag: string, path: string): Promise<Record<string, unknown>> =>
  readFileOf(
    flag,
    path,
    (text) =>
      useJson(text, (value) => {
        if (isObject(value)) return value as Record<string, unknown>
        throw new TypeError('must be a JSON object')
      }),
    usageError,
  )
