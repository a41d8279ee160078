import type { Conduct, LoggedRequest } from '../../request-log/index.ts'
import { countArrivals } from './arrivals.ts'
import { cell, element, fill, find, row } from './elements.ts'
import { targetOf } from './target.ts'

const mostShown = 20
const longestShown = 300
// Often enough to be news, seldom enough to let someone listen to something else.
const betweenNewsMs = 10_000

/** What was asked of the mock, newest first, and what clients did wrong. */
export interface RequestPanel {
  /** `nameOf` gives the name of a key, where it is known. */
  show(requests: readonly LoggedRequest[], nameOf: (keyId: string) => string): void
  showConduct(conduct: readonly Conduct[], nameOf: (keyId: string) => string): void
}

interface Numbered {
  readonly number: number
  readonly request: LoggedRequest
}

const kindOf = (status: number) => (status >= 500 ? ' failed' : status >= 400 ? ' refused' : '')

const cut = (text: string): string => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text)

/** Why the reply was what it was, as far as there is something to tell. */
const remarks = ({ message, refusedBy, retryAfterMs, faults, assumed }: LoggedRequest): string[] =>
  [
    message ?? 'answered',
    refusedBy ? `refused by: ${refusedBy}` : '',
    retryAfterMs === undefined ? '' : `come back in ${(retryAfterMs / 1000).toFixed(1)} s`,
    faults ? `simulated: ${faults.join(', ')}` : '',
    assumed ?? '',
  ].filter((remark) => remark !== '')

/** Makes the section "Last requests" work. */
export const createRequestPanel = (): RequestPanel => {
  const list = find('request-list', HTMLElement)
  const news = find('news', HTMLElement)
  let shown: readonly string[] | undefined
  let numbered: readonly Numbered[] = []
  let count = 0
  let untold = 0
  let toldAt = -Infinity

  const rowOf = ({ request }: Numbered, nameOf: (keyId: string) => string): Element => {
    const { at, status, keyId } = request
    const date = new Date(at).toISOString()
    const [outcome = '', ...more] = remarks(request)
    const small = more.length > 0 ? [element('small', {}, cut(more.join(' · ')))] : []
    return row(
      { class: 'new' },
      cell('', element('time', { datetime: date, title: date }, date.slice(11, 23))),
      cell('', element('span', { class: `status${kindOf(status)}` }, String(status))),
      cell('', element('code', {}, cut(targetOf(request)))),
      cell('key', keyId === null ? 'unknown key' : nameOf(keyId)),
      cell('', cut(outcome), ...small),
    )
  }

  const tell = (added: number, last: LoggedRequest | undefined) => {
    untold += added
    if (untold === 0 || !last || performance.now() - toldAt < betweenNewsMs) return
    news.textContent = `${untold} new ${untold === 1 ? 'request' : 'requests'}, the last one answered ${last.status}`
    toldAt = performance.now()
    untold = 0
  }

  return {
    show(requests, nameOf) {
      const latest = requests.slice(-mostShown)
      const texts = latest.map((request) => JSON.stringify(request))
      const added = countArrivals(shown ?? [], texts)
      const fresh = latest.slice(latest.length - added).map((request) => ({ number: ++count, request }))
      numbered = [...numbered, ...fresh].slice(-latest.length || numbered.length + fresh.length)
      if (shown) tell(added, latest.at(-1))
      shown = texts
      fill(
        list,
        numbered.toReversed(),
        ({ number }) => String(number),
        (one) => rowOf(one, nameOf),
      )
      find('no-requests', HTMLElement).hidden = latest.length > 0
    },
    showConduct(conduct, nameOf) {
      const findings = conduct.flatMap(({ keyId, findings: found }) =>
        found.map((finding) => `${nameOf(keyId)}: ${finding}`),
      )
      fill(
        find('conduct', HTMLElement),
        findings,
        (finding) => finding,
        (finding) => element('li', {}, finding),
      )
      find('conduct', HTMLElement).hidden = findings.length === 0
    },
  }
}
