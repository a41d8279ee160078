import { floors } from './floors.js'

const inside = (name, entries) =>
  `^packages/${name}/src/(${entries.map((entry) => (entry.endsWith('.ts') ? `${entry.replace('.', '\\.')}$` : `${entry}/`)).join('|')})`
const tests = '\\.(test|test-d)\\.ts$'

/** For each entry of a floor: nothing from a higher floor, nothing from a neighbour on the same one. */
const floorRules = Object.entries(floors).flatMap(([name, storeys]) =>
  storeys.flatMap((storey, level) =>
    storey
      .map((entry) => ({
        name: `floors: ${name}/${entry} imports from lower floors only`,
        severity: 'error',
        from: { path: inside(name, [entry]), pathNot: tests },
        to: { path: inside(name, [...storeys.slice(level + 1).flat(), ...storey.filter((other) => other !== entry)]) },
      }))
      .filter((rule) => !rule.to.path.endsWith('()')),
  ),
)

/** A source file that the table does not place would escape every rule above. */
const everyFileHasAFloor = Object.entries(floors).map(([name, storeys]) => ({
  name: `floors: every file of ${name} stands in floors.js`,
  severity: 'error',
  from: {},
  to: { path: `^packages/${name}/src/`, pathNot: [tests, inside(name, storeys.flat())] },
}))

const only = (library, folder) => ({
  name: `only ${folder} knows ${library}`,
  severity: 'error',
  from: { path: '^packages/(sdk|mock-server)/src/', pathNot: [folder, tests] },
  to: { path: `(^|/)node_modules/${library}/|^${library}$` },
})

export default {
  forbidden: [
    { name: 'no import cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'every import resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...floorRules,
    ...everyFileHasAFloor,
    {
      name: 'the sdk imports neither of the other packages',
      severity: 'error',
      from: { path: '^packages/sdk/' },
      to: { path: '^packages/(mock-server|examples)/' },
    },
    {
      name: 'the mock server takes only the contract from the sdk',
      severity: 'error',
      from: { path: '^packages/mock-server/src/', pathNot: tests },
      to: { path: '^packages/sdk/src/', pathNot: '^packages/sdk/src/contract/' },
    },
    only('ky', '^packages/sdk/src/transport/'),
    only('(ioredis|redis|@redis)', '^packages/sdk/src/throttle/testing/'),
    only('msw', '^packages/mock-server/src/carriers/'),
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
