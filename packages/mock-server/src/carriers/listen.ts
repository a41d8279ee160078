import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

// Room for a thousand clients that come at the same moment.
const backlog = 1024

const whyNot: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use; choose another, or 0 for a free one',
  EACCES: 'this needs more rights; choose one above 1023, or 0 for a free one',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAFNOSUPPORT: 'this machine has no addresses of that kind',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'nobody could be asked for the address of that host; try an address instead of a name',
}

/**
 * Listens on an address; one of IPv6 may stand in brackets, as it does in a URL.
 *
 * @throws {Error} It can not be listened on; the message says why, `code` is that of the system.
 */
export const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const reason = whyNot[error.code ?? ''] ?? error.message
      const message = `Cannot listen on port ${port} of ${host}: ${reason}.`
      reject(Object.assign(new Error(message, { cause: error }), { code: error.code }))
    }
    server.once('error', fail)
    server.listen({ port, host: host.replace(/^\[(.*)\]$/, '$1'), backlog }, () => {
      server.off('error', fail)
      resolve(server.address() as AddressInfo)
    })
  })
