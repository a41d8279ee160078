import { describe, expect, it } from 'vitest'
import type { BodyFault } from '../http.ts'
import { bodyChunks, BrokenConnection } from './body-chunks.ts'

const body = new TextEncoder().encode('0123456789')

/** The chunks as strings, the waits between them, and the error at the end if there is one. */
const outcomeOf = async (fault: BodyFault, signal = new AbortController().signal) => {
  const chunks: string[] = []
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  try {
    for await (const chunk of bodyChunks(body, fault, wait, signal)) chunks.push(new TextDecoder().decode(chunk))
    return { chunks, waits }
  } catch (error) {
    return { chunks, waits, error }
  }
}

describe('truncate', () => {
  it.each([
    [undefined, ['01234']],
    [3, ['012']],
    [0, []],
    [10, ['012345678']],
    [1000, ['012345678']],
  ])('sends part of the body and breaks, with bytes %s', async (bytes, chunks) => {
    const error = expect.any(BrokenConnection) as BrokenConnection

    expect(await outcomeOf({ kind: 'truncate', bytes })).toEqual({ chunks, waits: [], error })
  })
})

describe('slow-body', () => {
  it('sends the whole body in chunks and waits in between', async () => {
    const outcome = await outcomeOf({ kind: 'slow-body', chunkBytes: 4, intervalMs: 7 })

    expect(outcome).toEqual({ chunks: ['0123', '4567', '89'], waits: [7, 7] })
  })

  it('throws the reason of an aborted signal', async () => {
    const error = new Error('enough')

    const outcome = await outcomeOf({ kind: 'slow-body', chunkBytes: 4, intervalMs: 7 }, AbortSignal.abort(error))

    expect(outcome).toEqual({ chunks: [], waits: [], error })
  })
})
