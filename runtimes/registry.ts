/** A registry of npm for packages packed from this checkout, and for no others. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Manifest {
  readonly name: string
  readonly version: string
}

/** Packs the packages `names` in `packages` and offers them as a registry does. */
export const startRegistry = async (packages: string, names: readonly string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-packed-'))
  for (const name of names) await run('pnpm', ['pack', '--pack-destination', folder], { cwd: join(packages, name) })
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  const tarballs = new Map<string, Buffer>()
  const documents = new Map<string, (url: string) => object>()
  for (const file of files) {
    const tarball = await readFile(join(folder, file))
    // As packed: `workspace:` is a version there, and `publishConfig` has been applied.
    const { stdout } = await run('tar', ['-xzOf', join(folder, file), 'package/package.json'])
    const manifest = JSON.parse(stdout) as Manifest
    const { name, version } = manifest
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    tarballs.set(`/${file}`, tarball)
    documents.set(`/${name}`, (url) => ({
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist: { tarball: `${url}/${file}`, integrity } } },
    }))
  }
  await rm(folder, { recursive: true })
  const server = createServer((asked, reply) => {
    const path = asked.url ?? ''
    const [tarball, document] = [tarballs.get(path), documents.get(decodeURIComponent(path))]
    if (tarball) reply.end(tarball)
    else if (document) reply.setHeader('content-type', 'application/json').end(JSON.stringify(document(url)))
    else reply.writeHead(404).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
