import { createServer, type AddressInfo, type Server } from 'node:net'

// Room for a thousand clients that connect at the same moment.
const backlog = 1024

const listenErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use; choose another, or 0 for a free one',
  EACCES: 'permission denied; choose a port above 1023, or 0 for a free one',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAFNOSUPPORT: 'this machine has no addresses of that kind',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name could not be resolved; try an address instead',
}

/**
 * Listens on an address; an IPv6 address may stand in brackets, as in a URL.
 *
 * @throws {Error} Listening failed; the message says why, `code` is that of the system.
 */
export const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const reason = listenErrors[error.code ?? ''] ?? error.message
      const message = `Cannot listen on port ${port} of ${host}: ${reason}.`
      reject(Object.assign(new Error(message, { cause: error }), { code: error.code }))
    }
    server.once('error', fail)
    server.listen({ port, host: host.replace(/^\[(.*)\]$/, '$1'), backlog }, () => {
      server.off('error', fail)
      resolve(server.address() as AddressInfo)
    })
  })

/** Fails as `listen` does where a server could not listen on an address. */
export const checkPort = async (port: number, host: string): Promise<void> => {
  const server = createServer()
  await listen(server, port, host)
  await new Promise((resolve) => server.close(resolve))
}
