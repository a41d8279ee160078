import { styleText } from 'node:util'
import type { Middleware } from '@guild-ledger/sdk'

/** A number with its thousands apart: `1,230`. */
export const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US')

const formatTime = (seconds: number): string => {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return parts
    .slice(parts[0] === 0 ? 1 : 0)
    .map((part, i) => (i === 0 ? part : String(part).padStart(2, '0')))
    .join(':')
}

/** How far an export is. */
export interface Figures {
  readonly rows: number
  readonly pages: number
  /** As the service counts; undefined before the first page. */
  readonly totalPages: number | undefined
  readonly seconds: number
}

/** One line of at most `columns` characters; what matters least is left out first. */
export const progressLine = ({ rows, pages, totalPages, seconds }: Figures, columns: number): string => {
  const isEstimable = totalPages !== undefined && pages > 0 && pages < totalPages
  const parts = [
    `${formatCount(rows)} rows`,
    `page ${formatCount(pages)}${totalPages === undefined ? '' : `/${formatCount(totalPages)}`}`,
    ...(isEstimable ? [`${formatTime((seconds / pages) * (totalPages - pages))} left`] : []),
    `${formatCount(rows / Math.max(seconds, 0.001))} rows/s`,
  ]
  return parts.filter((_, i) => parts.slice(0, i + 1).join('  ').length <= columns).join('  ')
}

/** Shows how far an export is, on a terminal only. Its middleware counts the pages. */
export const createProgress = (stream: NodeJS.WriteStream) => {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  let next = startedAt + 200
  let pages = 0
  let totalPages: number | undefined
  const middleware: Middleware = async (request, send) => {
    const response = await send(request)
    if (!response.ok) return response
    pages++
    if (totalPages === undefined || pages > totalPages) {
      const [, found] = /"totalPages":\s*(\d+)/.exec(await response.clone().text()) ?? []
      totalPages = found === undefined ? undefined : Number(found)
    }
    return response
  }
  return {
    middleware: stream.isTTY ? [middleware] : [],
    seconds,
    show(rows: number): void {
      if (!stream.isTTY || performance.now() < next) return
      next = performance.now() + 200
      const line = progressLine({ rows, pages, totalPages, seconds: seconds() }, stream.columns - 1)
      stream.write(`\r${styleText('dim', line, { stream })}\u001B[K`)
    },
    end(): void {
      if (stream.isTTY) stream.write('\r\u001B[K')
    },
  }
}
