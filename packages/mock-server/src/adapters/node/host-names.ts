const loopback = /^(([\w-]+\.)*localhost\.?|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/i

/** Whether an address or host name is reachable from this machine only. */
export const isLoopback = (host: string): boolean => loopback.test(host.replace(/^\[|\]$/g, ''))

/** Whether a `Host` header names this machine. Any port counts: requests may come through a tunnel. */
export const isLoopbackHost = (header = ''): boolean => isLoopback(header.replace(/:\d+$/, ''))
