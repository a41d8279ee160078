import { documentedErrors, type DocumentedError } from './documented-errors.ts'
import { paths, type Endpoint } from './paths.ts'
import { guildQuery, userQuery } from './queries.ts'
import { guildResponse, userResponse } from './responses.ts'
import type { StandardSchema } from './standard-schema.ts'

/** What the spec says of an operation. */
export interface OperationFacts {
  /** Its path, with the names of its parameters. */
  readonly path: string
  /** Schema of its query, with the schema of each parameter. */
  readonly query: StandardSchema & { readonly shape: Readonly<Record<string, StandardSchema>> }
  /** Schema of the body of a success response. */
  readonly response: StandardSchema
  /** The error response where there is nothing to list. */
  readonly nothingFound: DocumentedError
  /** The error response of an internal failure. */
  readonly failed: DocumentedError
}

/**
 * A row for each documented operation: what the SDK requests, the mock responds to and OpenAPI describes. A path in
 * `paths` without a row here does not compile. Spec: Endpoints, Errors.
 */
export const operations = {
  guild: {
    path: paths.guild,
    query: guildQuery,
    response: guildResponse,
    nothingFound: documentedErrors.noGuildTransactions,
    failed: documentedErrors.guildTransactionsFailed,
  },
  user: {
    path: paths.user,
    query: userQuery,
    response: userResponse,
    nothingFound: documentedErrors.noUserTransactions,
    failed: documentedErrors.userTransactionsFailed,
  },
} as const satisfies Readonly<Record<Endpoint, OperationFacts>>

/** The documented operations, by name. */
export const endpoints = Object.keys(operations) as readonly Endpoint[]
