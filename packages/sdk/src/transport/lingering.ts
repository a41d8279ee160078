import { unref } from '../throttle/index.ts'
import type { RedactedResponse } from './auth.ts'

/** For how long a request stays on the network after its caller gave up: aborted, or `timeoutMs` is over. */
export const lingerAfterAbortMs = 3000
/** The same after the time limit of an attempt. */
export const lingerAfterAttemptMs = 10_000
/** A body of at most so many bytes is read away, so that its connection can be used again. */
const smallBodyBytes = 65_536

/** A request that its caller has given up. */
export interface GivenUpRequest {
  readonly response: Promise<RedactedResponse>
  /** Ends the request on the network. */
  readonly network: AbortController
  /** Called when the response or the failure is seen. */
  readonly onEnd: (response: RedactedResponse | undefined) => void
}

/**
 * Requests that their callers have given up, left alone on the network until their responses are seen: only then it is
 * known that they do not arrive later, so their slots come free. See docs/decisions/throttle-slot-ends-after-response.md.
 */
export interface LingeringRequests {
  /** Leaves a request alone for `ms` milliseconds at most, then ends it. */
  add(request: GivenUpRequest, ms: number): void
  /** Ends all of them. */
  end(): void
}

/** Reads a small body away; a large one is not worth its bytes. */
const discard = async ({ headers, text }: RedactedResponse, network: AbortController): Promise<void> => {
  if (Number(headers.get('content-length') ?? Infinity) <= smallBodyBytes) await text()
  else network.abort()
}

export const createLingeringRequests = (): LingeringRequests => {
  const networks = new Set<AbortController>()
  return {
    add({ response, network, onEnd }, ms) {
      networks.add(network)
      const timer = setTimeout(() => network.abort(), ms)
      unref(timer)
      const seen = response.then(
        (head) => {
          onEnd(head)
          return discard(head, network)
        },
        () => network.signal.aborted || onEnd(undefined),
      )
      void seen
        .catch(() => {})
        .finally(() => {
          clearTimeout(timer)
          networks.delete(network)
        })
    },
    end() {
      for (const network of networks) network.abort()
    },
  }
}
