/** A page for people over the admin API. */
export { pageAt } from './page-at.ts'
