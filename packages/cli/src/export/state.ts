import { createReadStream, existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Checkpoint } from '@guild-ledger/sdk'
import { isObject } from '@guild-ledger/validation'
import { usageError } from '../exit.ts'
import { readJson, writeWhole } from '../files.ts'

/** How far an incremental export has got. */
export interface State {
  readonly version: 1
  readonly format: string
  /** Path of the file, from the folder of the state. */
  readonly file: string
  /** Where the next run continues. */
  readonly checkpoint: Checkpoint
  /** Length of the NDJSON file at this checkpoint: what follows was written by a run that was killed. */
  readonly bytes: number
  /** A new NDJSON file is complete beside the old one, and this state is about it. */
  readonly isReplacing?: true
}

/** Whether a line of ours ends there: not in a file that is shorter, or that an editor or git saved with other line ends. */
const endsLineAt = async (path: string, bytes: number): Promise<boolean> =>
  (await text(createReadStream(path, { start: Math.max(0, bytes - 2), end: bytes - 1 }))) === '}\n'

/** Reads a state, or begins one. `beginning` says what is exported: the address of the service and the filters. */
export const openState = async (path: string, format: string, out: string, beginning: Checkpoint, isFull: boolean) => {
  const file = relative(dirname(resolve(path)), resolve(out))
  const first: State = { version: 1, format, file, checkpoint: beginning, bytes: 0 }
  const isNew = !existsSync(path)
  const found = isNew ? first : ((await readJson('--state', path)) as unknown as State)
  const { checkpoint } = found
  const isState = found.version === 1 && isObject(checkpoint) && Number.isSafeInteger(found.bytes) && found.bytes >= 0
  if (!isState) throw usageError(`--state ${path} is no state of an export of this version`)
  if (checkpoint.watched !== beginning.watched)
    throw usageError(
      `--state ${path} is about ${checkpoint.watched}, this call about ${beginning.watched}: give each its own state`,
    )
  if (found.format !== format || found.file !== file)
    throw usageError(`--state ${path} belongs to ${found.file} (${found.format}), not to ${file} (${format})`)
  const isBegun = checkpoint.from !== null || found.bytes > 0
  const isThere = existsSync(out)
  const isAsLeft = isThere && (found.bytes === 0 || (await endsLineAt(out, found.bytes)))
  if (isBegun && !isFull && !found.isReplacing && !isAsLeft) {
    const what = isThere ? 'was changed since the last run' : 'is missing'
    throw usageError(`${out} ${what}, which --state ${path} continues: --full exports everything again`)
  }
  return {
    isNew,
    found,
    beginning: first,
    save: (state: State): Promise<void> => writeWhole(path, `${JSON.stringify(state)}\n`),
  }
}

export type StateFile = Awaited<ReturnType<typeof openState>>
