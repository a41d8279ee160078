export { iterate } from './iterate.ts'
export { pages, type WalkOptions } from './pages.ts'
