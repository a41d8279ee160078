import { expect, it, onTestFinished } from 'vitest'
import { runCommand } from './spawn.ts'

it('does not wait for a process that the command left behind with its output', { timeout: 20_000 }, async () => {
  const script = `
    const options = { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], options)
    child.unref()
    console.log(child.pid)`

  const { exitCode, timedOut, output } = await runCommand([process.execPath, '-e', script], {}, undefined)
  onTestFinished(() => void process.kill(Number(output), 'SIGKILL'))

  expect({ exitCode, timedOut }).toEqual({ exitCode: 0, timedOut: false })
})
