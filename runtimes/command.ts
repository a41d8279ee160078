/** Runs the conformance checks on a runtime with a command line: Node, Bun, Deno. */
import process from 'node:process'
import { conformance, type Addresses } from './conformance.ts'

const addresses = JSON.parse(process.argv[2] ?? '') as Addresses
process.stdout.write(JSON.stringify(await conformance(addresses)))
