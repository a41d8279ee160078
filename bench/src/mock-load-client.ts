/** Sends requests as fast as responses come, in its own process, and prints the results as JSON. */
import autocannon, { type Result } from 'autocannon'

const [url = '', apiKey = '', connections = '8', seconds = '5'] = process.argv.slice(2)

const times: number[] = []
const { promise, resolve, reject } = Promise.withResolvers<Result>()
const instance = autocannon(
  { url, connections: Number(connections), duration: Number(seconds), headers: { 'x-api-key': apiKey } },
  (error: Error | null, result) => (error ? reject(error) : resolve(result)),
)
instance.on('response', (_client, _status, _bytes, milliseconds) => times.push(Math.round(milliseconds * 1e6)))
const { errors, timeouts, non2xx } = await promise
process.stdout.write(JSON.stringify({ failed: errors + timeouts + non2xx, times }))
