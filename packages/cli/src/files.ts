import { createHash } from 'node:crypto'
import { write as writeToFile } from 'node:fs'
import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isObject } from '@guild-ledger/validation'
import { readFileOf, useJson } from '@guild-ledger/validation/command-line'
import { CommandError, exitCodes, usageError, withFile } from './exit.ts'

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

/** JSON that every reader takes: none of half an emoji, or of what ends a line for readline and Python's `splitlines`. */
export const toJson = (value: object): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one)).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The file that a path leads to: through links, which a rename would replace, whether or not the file is there. */
export const targetOf = (path: string): Promise<string> =>
  realpath(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    const link = await readlink(path).catch(() => '')
    return link === '' ? path : targetOf(resolve(dirname(path), link))
  })

/** Creates the file that replaces another one once it is whole, with the same permissions. */
export const createPart = async (given: string) => {
  const path = await targetOf(given)
  const part = `${path}.part`
  await rm(part, { force: true })
  const replaced = await stat(path).catch(() => undefined)
  const file = await open(part, 'wx', replaced?.mode)
  if (replaced) await file.chmod(replaced.mode)
  const { ino } = await file.stat()
  const isThere = async () => (await stat(part).catch(() => undefined))?.ino === ino
  return {
    part,
    file,
    /** Gives the file its name, unless another run has begun to write the same one. */
    async replace(): Promise<void> {
      if (!(await isThere()))
        throw new CommandError(`${given} cannot be written: a later run writes it, too`, exitCodes.failed)
      await file.close()
      await rename(part, path)
    },
    async discard(): Promise<void> {
      if (await isThere()) await rm(part, { force: true })
      await file.close()
    },
  }
}

/** A file that gets its name when it is whole, or standard output without a path. */
export const openText = async (path: string | undefined) => {
  const what = path === undefined ? 'standard output' : `${path} cannot be written`
  const part = path === undefined ? undefined : await withFile(what, () => createPart(path))
  const hash = createHash('sha256')
  let pending = ''
  const flush = async () => {
    const text = pending
    pending = ''
    hash.update(text)
    await withFile(what, () => writeAll(part?.file.fd ?? 1, text))
  }
  return {
    /** Takes a text; a promise where it has to be waited for. */
    write(text: string): Promise<void> | undefined {
      pending += text
      return pending.length >= 65_536 ? flush() : undefined
    },
    /** Writes what was taken. */
    flush,
    /** Makes the file whole. Returns the sha256 of everything written. */
    async finish(): Promise<string> {
      await flush()
      await withFile(what, async () => {
        await part?.file.sync()
        await part?.replace()
      })
      return hash.digest('hex')
    },
    /** Leaves nothing of a file that is not whole. */
    [Symbol.asyncDispose]: async () => part?.discard(),
  }
}

/** Writes a small file whole or not at all. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  await using output = await openText(path)
  await output.write(text)
  await output.finish()
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
