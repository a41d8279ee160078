/** The guides in `docs/`, in reading order, by the package that carries them. */
export const guides = {
  sdk: [
    'getting-started',
    'pagination-and-watching',
    'errors',
    'production',
    'environments',
    'throttling',
    'security',
    'why-not-plain-fetch',
  ],
  'mock-server': ['testing', 'faults', 'request-log', 'http-server', 'assumptions'],
  sweep: ['sweep'],
  probe: ['probe'],
  cli: ['command-line'],
} as const satisfies Record<string, readonly string[]>
