/** Compares the covered part of a sweep with the whole on many random programs: `node … sweep-soundness.ts [programs]`. */
import { compareMatrices } from '../test/sweep-programs.ts'

const programs = Number(process.argv[2] ?? 2000)
const { all, covered, different, missed } = compareMatrices(Array.from({ length: programs }, (_, seed) => seed))
process.stdout.write(
  `${programs} programs: ${covered} of ${all} runs needed, ${different} observe a difference, ${missed.length} of these missed\n`,
)
for (const one of missed.slice(0, 20)) process.stdout.write(`missed: ${one}\n`)
process.exitCode = missed.length === 0 ? 0 : 1
