#!/usr/bin/env node
import { outliveReaders } from '@guild-ledger/validation/command-line'
import { run } from './run.ts'

outliveReaders()
process.exitCode = await run(process.argv.slice(2), process.env)
