import { it } from 'node:test'
import { definePlanted } from './suite.ts'

definePlanted((name, run) => void it(name, { timeout: 1500 }, run), process.env.PLANTED_FLAKY_FILE)
