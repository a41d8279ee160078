import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { start } from './support.ts'

/** Starts a gateway on a free port. */
export const startGateway = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
  const { child, exited } = start(['gateway', '--port', '0', '--json', '--interval', '0.1', ...args], env)
  let err = ''
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const first = await Promise.race([once(child.stdout, 'data'), exited])
  if (!Array.isArray(first)) throw new Error(`the gateway ended: ${err}`)
  const { url } = JSON.parse(String(first[0])) as { url: string }
  return { child, exited, url, errors: () => err }
}

/** Sends a request with any headers, which `fetch` does not allow for all; resolves with status, headers and bytes. */
export const send = async (url: string, headers: Record<string, string> = {}, method = 'GET', body?: string) => {
  const sent = request(url, { headers, method }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }
}

/** A line of a feed. */
export interface FeedLine {
  readonly position: number
  readonly transaction: { readonly transactionId: string; readonly name: string }
}

/** Reads a feed line by line, until it is left. */
export async function* readFeed(url: string, signal?: AbortSignal): AsyncGenerator<FeedLine> {
  const { body } = await fetch(url, signal ? { signal } : {})
  let rest = ''
  for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as FeedLine
  }
}

/** Reads so many lines of a feed, and leaves. */
export const takeLines = async (url: string, count: number): Promise<FeedLine[]> => {
  const lines: FeedLine[] = []
  const left = new AbortController()
  for await (const line of readFeed(url, left.signal)) {
    lines.push(line)
    if (lines.length === count) break
  }
  left.abort()
  return lines
}

export const acknowledge = (url: string, position: unknown) =>
  send(`${url}/ack`, { 'content-type': 'application/json' }, 'POST', JSON.stringify({ position }))
