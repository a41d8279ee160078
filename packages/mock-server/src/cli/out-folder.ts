import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
}

/** Why a file or folder cannot be written, in a few words. */
export const writeFailure = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}

const exists = (path: string): boolean => {
  try {
    lstatSync(path)
    return true
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** The folder itself, or the nearest folder above it that exists. */
const nearestExisting = (folder: string): string => {
  const path = resolve(folder)
  return exists(path) || path === dirname(path) ? path : nearestExisting(dirname(path))
}

/**
 * Checks whether reports can be written to a folder, which may not exist yet, before work that takes long.
 *
 * @throws {UsageError} They cannot.
 */
export const checkFolder = (folder: string): void => {
  try {
    const existing = nearestExisting(folder)
    if (statSync(existing, { throwIfNoEntry: false })?.isDirectory() !== true) {
      const what = existing === resolve(folder) ? 'it' : existing
      throw new UsageError(`--out ${folder} must be a folder, but ${what} is a file.`)
    }
    accessSync(existing, constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--out ${folder} cannot be written: ${writeFailure(error)}.`, { cause: error })
  }
}
