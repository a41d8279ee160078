/**
 * The layers of each package, lowest first: a file imports from its own folder and from lower layers only, and entries
 * on the same layer do not import each other. `.dependency-cruiser.js` turns this table into rules.
 */
export const layers = {
  validation: [
    ['is-object.ts', 'describe-value.ts', 'describe-range.ts', 'nearest.ts', 'code-span.ts'],
    ['unknown-name.ts', 'issue.ts', 'check.ts'],
    ['validate.ts', 'issues-of.ts'],
    ['create-checker.ts'],
    ['index.ts'],
  ],
  'test-kit': [
    [
      'failure-of.ts',
      'judge-arrivals.ts',
      'random.ts',
      'redis-server.ts',
      'service-processes.ts',
      'virtual-time.ts',
      'places.ts',
      'samples.ts',
      'send-to-mock.ts',
      'stub-service.ts',
      'test-server.ts',
    ],
    ['index.ts'],
  ],
  sdk: [
    ['contract'],
    ['callback.ts', 'defaults.ts'],
    ['errors'],
    ['throttle'],
    ['transport'],
    ['endpoints.ts'],
    ['pagination'],
    ['watch'],
    ['options'],
    ['client.ts'],
    ['index.ts'],
  ],
  'mock-server': [
    ['type-error.ts'],
    ['assumptions', 'request-matcher.ts'],
    ['http.ts'],
    ['rate-limit', 'faults', 'request-log', 'store'],
    ['seed', 'service'],
    ['adapters'],
    ['libraries.ts'],
    ['libraries.browser.ts', 'ledger'],
    ['index.ts'],
    ['browser.ts', 'admin'],
    ['probe', 'sweep'],
    ['cli'],
  ],
}
