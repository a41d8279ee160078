export type { Once as Walk } from './once.ts'
export type { Drift, WalkOptions } from './options.ts'
export { iterate, pages } from './walks.ts'
