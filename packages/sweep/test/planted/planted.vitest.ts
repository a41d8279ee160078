import { it } from 'vitest'
import { definePlanted } from './suite.ts'

definePlanted(it, process.env.PLANTED_FLAKY_FILE)
