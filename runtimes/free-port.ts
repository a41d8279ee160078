import { once } from 'node:events'
import { createServer } from 'node:net'

const canListen = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  await new Promise((closed) => server.close(closed))
  return isFree
}

/** A port of this machine, below those that the system gives to others, so that it stays free until a program takes it. */
export const freePort = async (): Promise<number> => {
  const port = 12_000 + Math.floor(Math.random() * 18_000)
  return (await canListen(port)) ? port : freePort()
}
