/** An npm registry for packages packed from this checkout only. */
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

/** Packs the packages `names` in the folder `packages` and serves them as a registry. */
export const startRegistry = async (packages: string, names: readonly string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-packed-'))
  for (const name of names) await run('pnpm', ['pack', '--pack-destination', folder], { cwd: join(packages, name) })
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  const tarballs = new Map<string, Buffer>()
  const metadata = new Map<string, (url: string) => object>()
  for (const file of files) {
    const tarball = await readFile(join(folder, file))
    // From the tarball, where `workspace:` is a version and `publishConfig` is applied.
    const { stdout } = await run('tar', ['-xzOf', join(folder, file), 'package/package.json'])
    const manifest = JSON.parse(stdout) as Manifest
    const { name, version } = manifest
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    tarballs.set(`/${file}`, tarball)
    metadata.set(`/${name}`, (url) => ({
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist: { tarball: `${url}/${file}`, integrity } } },
    }))
  }
  await rm(folder, { recursive: true })
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const [tarball, packageMetadata] = [tarballs.get(path), metadata.get(decodeURIComponent(path))]
    if (tarball) response.end(tarball)
    else if (packageMetadata)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(packageMetadata(url)))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
