/** One contender in a process of its own: sends `count` requests at once, through its throttle. */
import { once } from 'node:events'
import { contenders } from './throttle-contenders.ts'

const [name = '', url = '', count = '', stallMs = '', warmUpUrl = ''] = process.argv.slice(2)
const create = contenders[name]
if (!create) throw new Error(`no contender ${name}`)

// Loads and compiles everything, on another origin, so that the connections of the run are new.
const warmUp = create()
await Promise.all(Array.from({ length: 10 }, (_, i) => warmUp(`${warmUpUrl}/${i}`)))
const send = create()
process.send?.('ready')
await once(process, 'message')

if (Number(stallMs) > 0) {
  // Stands still without using the processor, which the other contenders need.
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.wait(nothing, 0, 0, Number(stallMs)), 2000).unref()
}

const from = performance.now()
await Promise.all(Array.from({ length: Number(count) }, (_, i) => send(`${url}/${i}`)))
process.send?.(performance.now() - from)
setTimeout(() => process.exit(), 100)
