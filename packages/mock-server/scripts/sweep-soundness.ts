/** Compares parts of a sweep with the whole on many random programs: `node … sweep-soundness.ts [programs]`. */
import { compareMatrices, compareRows } from '../test/sweep-programs.ts'

const programs = Number(process.argv[2] ?? 2000)
const seeds = Array.from({ length: programs }, (_, seed) => seed)
const { all, covered, different, missed } = compareMatrices(seeds)
process.stdout.write(
  `${programs} programs: ${covered} of ${all} runs needed, ${different} observe a difference, ${missed.length} of these missed\n`,
)
for (const one of missed.slice(0, 20)) process.stdout.write(`missed: ${one}\n`)
const { tried, clear, wrong } = compareRows(seeds)
process.stdout.write(
  `Several values in one run: ${clear} of ${tried} are as under one value, ${wrong.length} are not\n`,
)
for (const one of wrong.slice(0, 20)) process.stdout.write(`wrong: ${one}\n`)
process.exitCode = missed.length + wrong.length === 0 ? 0 : 1
