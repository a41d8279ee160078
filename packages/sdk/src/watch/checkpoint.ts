import { createChecker, describeValue, formatIssue } from '@guild-ledger/validation'
import * as z from 'zod/mini'
import { isDate } from '../contract/queries.ts'
import { oneOf } from '../contract/schemas.ts'
import { invalidOption } from '../errors/index.ts'

/**
 * Position of a watch, as plain JSON. A watch with it as `since` yields what the other one had not yielded: of what was
 * created at `from` or later, all that is not in `seen`.
 */
export interface Checkpoint {
  /** Version of this format. A release that does not know it rejects the checkpoint. */
  readonly version: 1
  /** What is watched: address and filters. The key is not part of it, so that a new key of the guild can continue. */
  readonly watched: string
  /** ISO 8601, UTC; null for the beginning. */
  readonly from: string | null
  /** What was yielded of that: the length of the `platformId`, the `platformId` and the `transactionId` of each. */
  readonly seen: readonly string[]
}

const version = 1

const checkpoint = createChecker(
  z.object(
    {
      version: oneOf([version], `${version}`),
      watched: z.string('the address and filters of a watch'),
      from: z.custom(
        (value) => value === null || (typeof value === 'string' && isDate(value)),
        'an ISO 8601 date-time',
      ),
      seen: z.array(z.string('a transactionId'), 'an array of transactionIds'),
    },
    'an object',
  ),
)

const reject = (message: string): never => invalidOption('since', message)

/** Accepts a checkpoint of a watch over `watched`. */
export const checkedCheckpoint = (given: object, watched: string): Checkpoint => {
  const found: unknown = Reflect.get(given, 'version')
  if (typeof found === 'number' && found > version) {
    reject(
      `\`since\` is a checkpoint of version ${found}, written by a later release: update this package, which knows version ${version}`,
    )
  }
  const [issue] = checkpoint.issues(given)
  if (issue) reject(`\`since\` is not a checkpoint of a watch: ${formatIssue(issue)}`)
  const valid = given as Checkpoint
  if (valid.watched === watched) return valid
  return reject(
    `\`since\` must be a checkpoint of a watch over ${watched}, got one over ${describeValue(valid.watched)}: give each watch its own`,
  )
}
