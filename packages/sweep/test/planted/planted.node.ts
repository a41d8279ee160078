import { it } from 'node:test'
import { definePlanted } from './suite.ts'

// It hangs longer than its own time limit, and shorter than that of the sweep for the whole command.
definePlanted((name, run) => void it(name, { timeout: 1000 }, run), process.env.PLANTED_FLAKY_FILE, 1500)
