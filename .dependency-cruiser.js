import { layers } from './layers.ts'

const inside = (name, entries) =>
  `^packages/${name}/src/(${entries.map((entry) => (entry.endsWith('.ts') ? `${entry.replace('.', '\\.')}$` : `${entry}/`)).join('|')})`
const tests = '\\.(test|test-d)\\.ts$'

/** For each entry of a layer: nothing from a higher layer, nothing from a neighbour on the same one. */
const layerRules = Object.entries(layers).flatMap(([name, all]) =>
  all.flatMap((layer, level) =>
    layer
      .map((entry) => ({
        name: `layers: ${name}/${entry} imports from lower layers only`,
        severity: 'error',
        from: { path: inside(name, [entry]), pathNot: tests },
        to: { path: inside(name, [...all.slice(level + 1).flat(), ...layer.filter((other) => other !== entry)]) },
      }))
      .filter((rule) => !rule.to.path.endsWith('()')),
  ),
)

/** A source file that is not in the table would escape every rule above. */
const everyFileHasALayer = Object.entries(layers).map(([name, all]) => ({
  name: `layers: every file of ${name} is in layers.ts`,
  severity: 'error',
  from: {},
  to: { path: `^packages/${name}/src/`, pathNot: [tests, inside(name, all.flat())] },
}))

const only = (library, folder) => ({
  name: `only ${folder} knows ${library}`,
  severity: 'error',
  from: { path: '^packages/(validation|sdk|mock-server|sweep|probe|cli)/src/', pathNot: [folder, tests] },
  to: { path: `(^|/)node_modules/${library}/|^(node:)?${library}$` },
})

export default {
  forbidden: [
    { name: 'no import cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'every import resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...layerRules,
    ...everyFileHasALayer,
    {
      name: 'validation imports none of the other packages',
      severity: 'error',
      from: { path: '^packages/validation/' },
      to: { path: '^packages/(sdk|mock-server|sweep|probe|cli|examples)/' },
    },
    {
      name: 'only the published packages use validation, which is bundled into them',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/(validation|sdk|mock-server|sweep|probe|cli)/' },
      to: { path: '^packages/validation/' },
    },
    {
      name: 'the sdk imports neither the mock server nor the examples',
      severity: 'error',
      from: { path: '^packages/sdk/' },
      to: { path: '^packages/(mock-server|sweep|probe|cli|examples)/' },
    },
    {
      name: 'the mock server takes only the contract from the sdk, but for its fixtures, which have a client',
      severity: 'error',
      from: {
        path: '^packages/mock-server/src/',
        pathNot: ['^packages/mock-server/src/vitest/', tests],
      },
      to: { path: '^packages/sdk/src/', pathNot: '^packages/sdk/src/contract/' },
    },
    {
      name: 'nothing imports the sweep',
      severity: 'error',
      from: { path: '^packages/(?!sweep/)' },
      to: { path: '^packages/sweep/' },
    },
    {
      name: 'the sweep takes only entries of the mock server and of validation',
      severity: 'error',
      from: { path: '^packages/sweep/src/' },
      to: {
        path: '^packages/(sdk|validation|mock-server)/src/',
        pathNot: '^packages/(mock-server/src/(index|assumptions|cli/start)|validation/src/(index|command-line))\\.ts$',
      },
    },
    {
      name: 'nothing imports the command line',
      severity: 'error',
      from: { path: '^packages/(?!cli/)' },
      to: { path: '^packages/cli/' },
    },
    {
      name: 'the command line takes only entries of the sdk and of validation',
      severity: 'error',
      from: { path: '^packages/cli/src/', pathNot: tests },
      to: {
        path: '^packages/',
        pathNot: '^packages/(cli/src/|sdk/src/(contract/)?index\\.ts$|validation/src/(index|command-line)\\.ts$)',
      },
    },
    {
      name: 'only tests know the test kit',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: ['^packages/test-kit/', tests] },
      to: { path: '^packages/test-kit/' },
    },
    {
      name: 'the test kit knows no other package',
      severity: 'error',
      from: { path: '^packages/test-kit/' },
      to: { path: '^packages/(?!test-kit/)' },
    },
    only('ky', '^packages/sdk/src/transport/'),
    only('(ioredis|redis|@redis)', '^$'),
    only('msw', '^packages/mock-server/src/(adapters/|libraries\\.browser\\.ts$)'),
    only('https?', '^packages/(mock-server/src/(adapters/node|admin)|cli/src/gateway)/'),
    {
      name: 'only the admin API serves the dashboard',
      severity: 'error',
      from: { path: '^packages/mock-server/src/', pathNot: ['^packages/mock-server/src/admin/dashboard\\.ts$', tests] },
      to: { path: '^packages/mock-server/dashboard/' },
    },
    {
      name: 'the dashboard takes only types from the mock server',
      severity: 'error',
      from: { path: '^packages/mock-server/dashboard/' },
      to: { path: '^packages/(sdk|mock-server)/src/', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'dist'] },
    exclude: { path: ['/dist/', '/dist-tsc/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['@guild-ledger/source', 'import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
}
