import * as z from 'zod/mini'
import { inWords, isDate, issuesOf, sentence } from '../contract/index.ts'
import { ConfigurationError } from '../errors/index.ts'

/**
 * Where a watch stands, as plain JSON. A watch with it as `since` yields what the one it is of had not yielded: of what
 * was created at `from` or later, all that is not in `seen`.
 */
export interface Checkpoint {
  /** Form of the checkpoint: a release that does not know it says so. */
  readonly version: 1
  /** What is watched: address and filters. The key is not part of it, so a new key of the guild can go on. */
  readonly watched: string
  /** ISO 8601, UTC; null for the beginning. */
  readonly from: string | null
  /** Identifiers of transactions. */
  readonly seen: readonly string[]
}

const version = 1

const checkpoint = z.object({
  version: z.literal(version, `${version}`),
  watched: z.string('the address and filters of a watch'),
  from: z.custom((value) => value === null || (typeof value === 'string' && isDate(value)), 'an ISO 8601 date-time'),
  seen: z.array(z.string('a transactionId'), 'a list of transactionIds'),
})

const refuse = (message: string): never => {
  throw new ConfigurationError('since', message)
}

/** Takes a checkpoint if it is one of a watch over `watched`. */
export const checkedCheckpoint = (given: object, watched: string): Checkpoint => {
  const found: unknown = Reflect.get(given, 'version')
  if (typeof found === 'number' && found > version) {
    refuse(
      `since is a checkpoint of version ${found}, written by a later release: update this package, which knows version ${version}`,
    )
  }
  const [issue] = issuesOf(checkpoint, given)
  if (issue) refuse(`since is not a checkpoint of a watch: ${sentence(issue)}`)
  const one = given as Checkpoint
  if (one.watched === watched) return one
  return refuse(
    `since must be a checkpoint of a watch over ${watched}; got one over ${inWords(one.watched)}: give each watch its own`,
  )
}
