/** Serves the built site on loopback. As a program, on port 4173. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'

/** Folder of the built site. */
export const siteFolder = resolve(import.meta.dirname, 'out/site')

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * A policy that a host of the site may send. Inline scripts and styles are those of VitePress; `blob:` is for the code of
 * snippets in the worker of the playground. Nothing needs `unsafe-eval`.
 */
const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:"

export const serve = async (port = 0) => {
  const server = createServer(async ({ url = '/' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://site').pathname)
    const file = join(siteFolder, path.endsWith('/') ? `${path}index.html` : path)
    const body = await readFile(file).catch(() => undefined)
    const headers = {
      'content-type': types[extname(file)] ?? 'text/plain',
      'cache-control': path.startsWith('/assets/') ? 'max-age=600' : 'no-cache',
      'content-security-policy': policy,
    }
    response.writeHead(body ? 200 : 404, headers).end(body)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

if (import.meta.main) {
  const sayWhy = (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== 'EADDRINUSE') throw error
    const text = 'Port 4173 is in use. If by another `docs:site` of this clone, it serves the new build.\n'
    process.stderr.write(text)
    process.exitCode = 1
  }
  const site = await serve(4173).catch(sayWhy)
  if (site) process.stdout.write(`The documentation site: ${site.url}/\n`)
}
