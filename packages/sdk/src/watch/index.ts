export type { Checkpoint } from './checkpoint.ts'
export type { Filters } from './poll.ts'
export type { WatchOptions } from './options.ts'
export { watch, type Watch } from './watch.ts'
