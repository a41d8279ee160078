/**
 * Runs command lines in one process, each in a fresh copy of the program, and prints what each wrote to standard error and
 * its exit code: a process for each takes a third of a second.
 */
const cases = JSON.parse(process.argv[2] ?? '') as { args: string[]; env: Record<string, string> }[]
const results: { code: unknown; err: string }[] = []
const { env } = process
for (const [i, one] of cases.entries()) {
  let err = ''
  process.stderr.write = (text: string | Uint8Array) => {
    err += String(text)
    return true
  }
  process.argv = [process.argv[0] ?? '', 'guild-ledger', ...one.args]
  process.env = { ...env, ...one.env }
  process.exitCode = undefined
  await import(`../src/main.ts?case=${i}`)
  results.push({ code: process.exitCode, err })
}
process.exitCode = 0
process.stdout.write(`\n${JSON.stringify(results)}\n`)
