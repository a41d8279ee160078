/** Load from a process of its own: asks as fast as replies come, and prints what came of it as JSON. */
import autocannon from 'autocannon'

const [url = '', apiKey = '', connections = '8', seconds = '5'] = process.argv.slice(2)

const times: number[] = []
const instance = autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  headers: { 'x-api-key': apiKey },
})
instance.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds))
const { errors, timeouts, non2xx } = await instance
process.stdout.write(
  JSON.stringify({ failed: errors + timeouts + non2xx, times: times.map((ms) => Math.round(ms * 1e6)) }),
)
