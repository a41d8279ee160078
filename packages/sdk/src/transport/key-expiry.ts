import type { TransportSettings } from './options.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Days before the key expires on which to warn; 0 says that it has expired. */
const warningDays = [14, 3, 1, 0]

/**
 * Warns ahead of the day on which the key expires, once for each of the days: to be called with every request. The date is
 * that of the first key: once a function returned another one, nothing is known.
 */
export const createExpiryWarning = ({
  keyExpiresAt: expiresAt,
  keys,
  log,
}: Pick<TransportSettings, 'keyExpiresAt' | 'keys' | 'log'>): (() => void) => {
  if (expiresAt === undefined) return () => {}
  let daysLeft = warningDays
  return () => {
    if (keys.version > 0) return
    const leftMs = expiresAt - Date.now()
    if (leftMs > (daysLeft[0] ?? -Infinity) * dayMs) return
    daysLeft = daysLeft.filter((days) => leftMs > days * dayMs)
    const days = Math.ceil(leftMs / dayMs)
    const when = leftMs <= 0 ? 'has expired' : `expires in ${days} ${days === 1 ? 'day' : 'days'}`
    log('warn', `The API key ${when} (${new Date(expiresAt).toISOString()}): create a new one in the dashboard.`)
  }
}
