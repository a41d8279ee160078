/**
 * Options that a run of a single test does not need: it has a name pattern of its own, one file has no shards, the file
 * may be unchanged, and a missing snapshot is a failure.
 */
const replaced = /^(?:-t|--test-?name-?pattern|--shard|-u|--update|--changed)(?:=|$)/i

/** The options among the arguments of Vitest, for a run of a single test. `filtersIn` returns the file filters. */
export const replayOptions = (args: readonly string[], filtersIn: (args: readonly string[]) => string[]): string[] => {
  const isFilter = (at: number) => filtersIn(args.slice(0, at + 1)).length > filtersIn(args.slice(0, at)).length
  const isReplaced = (arg: string, before = '') =>
    replaced.test(arg) || (replaced.test(before) && !before.includes('=') && !arg.startsWith('-'))
  return args.filter((arg, at) => !isFilter(at) && !isReplaced(arg, args[at - 1]))
}
