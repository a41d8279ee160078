/** Seeds the property tests. fast-check prints the seed of a failure. */
import { testSeed } from './test-seed.ts'
import { configureGlobal } from 'fast-check'

configureGlobal({ seed: testSeed() })
