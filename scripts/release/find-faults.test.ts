import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findManifestFaults } from './find-manifest-faults.ts'
import { findWorkflowFaults } from './find-workflow-faults.ts'

const release = readFileSync('.github/workflows/release.yml', 'utf8')
const changed = (from: string | RegExp, to: string) => {
  const text = release.replace(from, to)
  expect(text).not.toBe(release)
  return findWorkflowFaults(text)
}

describe('faults of a workflow', () => {
  it.each(['ci', 'release'])('are none in %s.yml', (name) => {
    expect(findWorkflowFaults(readFileSync(`.github/workflows/${name}.yml`, 'utf8'))).toEqual([])
  })

  it.each<[string, string | RegExp, string, string]>([
    ['an action by its tag', /checkout@\w+/, 'checkout@v5', 'pin actions/checkout@v5 by the SHA of a commit'],
    ['no permissions', 'permissions: {}\n', '', 'set permissions for the whole workflow'],
    [
      'write permissions for all jobs',
      'permissions: {}',
      'permissions:\n  contents: write',
      'give write permissions to single jobs only',
    ],
    ['a job without permissions', /    permissions:\n      contents: read\n/, '', 'job build: give it permissions'],
    [
      'a checkout in the job that publishes',
      '    environment: npm\n    permissions:\n      id-token: write\n    steps:\n',
      '    environment: npm\n    permissions:\n      id-token: write\n    steps:\n      - run: pnpm install\n',
      'job publish: it may publish, so it must run no code of this repository',
    ],
    ['no environment', '    environment: npm\n', '', 'job publish: it may publish, so it needs an environment'],
    ['no --provenance', ' --provenance', '', 'job publish: publish with --provenance'],
    ['no look at npm', 'dist.attestations', 'dist.integrity', 'job publish: check the provenance on npm'],
    [
      'a tool by its version',
      'npm install --prefix .github/pnpm --ignore-scripts --no-audit --no-save',
      'npm install --global pnpm@12',
      'install tools with the hashes of a lockfile',
    ],
    [
      'no right to provenance',
      '      id-token: write\n',
      '      contents: read\n',
      'job publish: it publishes without the right to provenance',
    ],
  ])('are found where there is %s', (_, from, to, fault) => {
    expect(changed(from, to)).toContain(fault)
  })
})

describe('faults of a manifest', () => {
  const manifest = {
    name: 'a',
    publishConfig: { access: 'public', provenance: true },
    repository: { url: 'git+https://github.com/owner/name.git' },
  }

  it('are none where provenance is asked for and the repository is the one that publishes', () => {
    expect(findManifestFaults(manifest, 'owner/name')).toEqual([])
    expect(findManifestFaults({ ...manifest, repository: undefined as never }, undefined)).toEqual([])
  })

  it('are a missing or another repository, access and provenance', () => {
    expect(findManifestFaults({ name: 'a' }, 'owner/name')).toEqual([
      'a: set publishConfig.access to "public"',
      'a: set publishConfig.provenance to true',
      'a: set repository.url to "git+https://github.com/owner/name.git", got undefined',
    ])
    expect(findManifestFaults(manifest, 'other/name')).toHaveLength(1)
  })
})
