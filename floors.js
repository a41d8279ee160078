/**
 * The floors of each package, lowest first: a file imports from its own folder and from lower floors only, and
 * neighbours on one floor do not know each other. `.dependency-cruiser.js` makes rules of this table.
 */
export const floors = {
  sdk: [
    ['contract'],
    ['errors'],
    ['checks.ts'],
    ['throttle'],
    ['transport'],
    ['endpoints.ts'],
    ['walk'],
    ['watch'],
    ['options'],
    ['client.ts'],
    ['index.ts'],
  ],
  'mock-server': [
    ['assumptions', 'aim.ts'],
    ['rate-limit', 'faults', 'request-log'],
    ['store'],
    ['seed.ts', 'factory.ts', 'parameters.ts'],
    ['query.ts'],
    ['answer.ts', 'explain.ts'],
    ['service.ts', 'deliver.ts'],
    ['engine.ts'],
    ['carriers'],
    ['guild'],
    ['mock-ledger'],
    ['page'],
    ['admin', 'command-line', 'create-mock-ledger.ts'],
    ['public.ts'],
    ['cli.ts', 'index.ts', 'browser.ts'],
  ],
}
