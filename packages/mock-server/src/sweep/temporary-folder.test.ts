import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'

const module = JSON.stringify(new URL('temporary-folder.ts', import.meta.url).href)

it('removes the folder when the process exits, after the call back', () => {
  const script = `
    const { createTemporaryFolder } = await import(${module})
    const { existsSync } = await import('node:fs')
    createTemporaryFolder((path) => console.log(path, existsSync(path)))
    process.exit(0)
  `

  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })

  const [path = '', existed] = out.trim().split(' ')
  expect(path).toContain('guild-ledger-sweep-')
  expect(existed).toBe('true')
  expect(existsSync(path)).toBe(false)
})
