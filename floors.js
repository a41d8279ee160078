/**
 * The floors of each package, lowest first: a file imports from its own folder and from lower floors only, and
 * neighbours on one floor do not know each other. `.dependency-cruiser.js` makes rules of this table.
 */
export const floors = {
  sdk: [
    ['contract'],
    ['errors'],
    ['throttle'],
    ['transport'],
    ['endpoints.ts'],
    ['walk'],
    ['watch.ts'],
    ['options'],
    ['client.ts'],
    ['index.ts'],
  ],
  'mock-server': [
    ['assumptions.ts'],
    ['store'],
    ['seed.ts', 'query.ts', 'rate-limit.ts', 'faults.ts'],
    ['service.ts'],
    ['engine.ts'],
    ['carriers'],
    ['admin.ts', 'cli.ts', 'index.ts'],
  ],
}
