/** What the command line needs beyond the public names. */
export { probeWithData, type Probed } from './probe.ts'
export { plannedRequests } from './dry-run.ts'
export { filesFrom, type ProbeFiles } from './files.ts'
export { checkedProbeOptions } from './options.ts'
export { ProbeError } from './problem.ts'
export { probeTerminalReport } from './report/terminal.ts'
export type { ProbeOptions } from './types.ts'
