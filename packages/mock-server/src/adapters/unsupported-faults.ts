import type { MockResponse } from '../http.ts'
import { truncatedLength } from './body-chunks.ts'

/** An adapter that hands responses on as `Response`s. Real HTTP is none of them: it supports every fault. */
export type Adapter = 'mock.fetch' | 'setupServer of MSW' | 'setupWorker of MSW'

interface Limitation {
  readonly fault: string
  readonly reason: string
  readonly alternative: string
  readonly adapters: readonly Adapter[]
  readonly appliesTo: (response: MockResponse) => boolean
}

/** A fault that would look like something else through this adapter. The message says what to do. */
export class UnsupportedFaultError extends TypeError {
  override readonly name: string = 'UnsupportedFaultError'
}

const limitations: readonly Limitation[] = [
  {
    fault: 'truncate before the first byte of the body',
    reason: 'MSW sends the status with the first byte, so the client would see a reset',
    alternative: 'truncate with bytes of at least 1, the kind reset, mock.fetch or startMockServer',
    adapters: ['setupServer of MSW'],
    appliesTo: ({ connectionFault, body }) =>
      connectionFault?.kind === 'truncate' && truncatedLength(body.length, connectionFault.bytes) === 0,
  },
  {
    fault: 'status with the header content-encoding',
    reason: 'nothing decodes the body, so the client would read it as it is',
    alternative: 'startMockServer, or the kind malformed-json',
    adapters: ['mock.fetch', 'setupWorker of MSW'],
    appliesTo: ({ headers }) => headers['content-encoding'] !== undefined,
  },
]

/** Passes if an adapter can hand on a response with its faults, so that none looks like something else. */
export const checkSupported = (response: MockResponse, adapter: Adapter): void => {
  const limitation = limitations.find(({ adapters, appliesTo }) => adapters.includes(adapter) && appliesTo(response))
  if (!limitation) return
  const { fault, reason, alternative } = limitation
  throw new UnsupportedFaultError(`The fault ${fault} is not supported by ${adapter}: ${reason}. Use ${alternative}.`)
}
