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

it('stops what a command that took too long leaves behind in its process group', { timeout: 20_000 }, async () => {
  // A shell starts a program in the background with SIGINT ignored; SIGINT ends the other one, the command itself.
  const command = ['sh', '-c', 'sleep 600 & echo $!; exec sleep 600']

  const { timedOut, output } = await runCommand(command, {}, 300)
  const left = Number(output)
  const isRunning = () => {
    try {
      return left > 0 && process.kill(left, 0)
    } catch {
      return false
    }
  }
  onTestFinished(() => void (isRunning() && process.kill(left, 'SIGKILL')))

  expect(timedOut).toBe(true)
  await expect.poll(isRunning, { timeout: 10_000 }).toBe(false)
})
