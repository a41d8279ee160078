/** A registry on this machine, which passes on to npm what it does not have. */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

/** Only this registry has the packages of this repository, so that none is taken from npm. */
const configuration = `storage: ./storage
auth: { htpasswd: { file: ./htpasswd } }
uplinks: { npm: { url: https://registry.npmjs.org/ } }
packages:
  '@guild-ledger/*': { access: $all, publish: $authenticated }
  '**': { access: $all, proxy: npm }
log: { type: stdout, format: json, level: error }
`

/** Starts Verdaccio in an empty folder; `token` is that of a user who may publish. */
export const startRegistry = async (folder: string) => {
  const url = `http://127.0.0.1:${await freePort()}`
  const file = join(folder, 'verdaccio.yaml')
  await writeFile(file, configuration)
  const program = join(import.meta.dirname, 'node_modules/verdaccio/bin/verdaccio')
  const args = [program, '--config', file, '--listen', url]
  const verdaccio = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  let token: string | undefined
  while (token === undefined) {
    if (verdaccio.exitCode !== null) throw new Error(`Verdaccio ended with ${verdaccio.exitCode}`)
    token = await fetch(`${url}/-/user/org.couchdb.user:release`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'release', password: 'not-a-secret' }),
    }).then(
      async (response) => ((await response.json()) as { token: string }).token,
      () => new Promise((resolve) => setTimeout(resolve, 200)),
    )
  }
  return { url, token, close: () => verdaccio.kill() }
}
