/** The `statusText` that Node's server sends with a status. In a browser it is empty, as over HTTP/2. */
export const statusTextOf = (status: number): string =>
  globalThis.process?.getBuiltinModule?.('node:http')?.STATUS_CODES?.[status] ?? ''
