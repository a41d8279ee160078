/** What lies between client and service in a run. Times in milliseconds. */
export interface Network {
  readonly name: string
  /** Random delay of each way, from 0 to so much. */
  readonly jitterMs: number
  /** What the first request of a connection takes longer to arrive. */
  readonly coldMs: number
  /** The client's event loop stands still for so long, every two seconds. */
  readonly stallMs: number
}

export const networks: readonly Network[] = [
  { name: 'no jitter', jitterMs: 0, coldMs: 0, stallMs: 0 },
  { name: 'jitter 0..50', jitterMs: 50, coldMs: 0, stallMs: 0 },
  { name: 'jitter 0..200', jitterMs: 200, coldMs: 0, stallMs: 0 },
  { name: 'cold connections +200', jitterMs: 0, coldMs: 200, stallMs: 0 },
  { name: 'loop stalls 300', jitterMs: 0, coldMs: 0, stallMs: 300 },
]
