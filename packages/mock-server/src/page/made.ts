import { putTogether, type Made } from './put-together.ts'

let once: Made | undefined

/** The page. From sources it is put together when it is first asked for; a build keeps only the result. */
export const made = (): Made => (once ??= putTogether())
