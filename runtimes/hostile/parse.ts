/**
 * Prints for how many milliseconds of processor time `JSON.parse` blocks a fresh process with 512 KiB of nested arrays: the
 * costliest response, and the part of it that no client can do without.
 */
import process from 'node:process'

const text = '['.repeat(262_144) + ']'.repeat(262_144)
const before = process.cpuUsage()
JSON.parse(text)
const { user, system } = process.cpuUsage(before)
process.stdout.write(String((user + system) / 1000))
