import type { Log } from './log.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Days before the key expires on which to warn; 0 says that it has expired. */
const warningDays = [14, 3, 1, 0]

/** Warns ahead of the day on which the key expires, once for each of the days: to be called with every request. */
export const createExpiryWarning = (expiresAt: number | undefined, log: Log): (() => void) => {
  if (expiresAt === undefined) return () => {}
  let daysLeft = warningDays
  return () => {
    const leftMs = expiresAt - Date.now()
    if (leftMs > (daysLeft[0] ?? -Infinity) * dayMs) return
    daysLeft = daysLeft.filter((days) => leftMs > days * dayMs)
    const days = Math.ceil(leftMs / dayMs)
    const when = leftMs <= 0 ? 'has expired' : `expires in ${days} ${days === 1 ? 'day' : 'days'}`
    log('warn', `The API key ${when} (${new Date(expiresAt).toISOString()}): create a new one in the dashboard.`)
    if (leftMs <= 0) daysLeft = []
  }
}
