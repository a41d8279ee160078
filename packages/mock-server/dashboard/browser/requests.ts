import type { ClientAudit } from '../../src/request-log/audit.ts'
import type { LoggedRequest } from '../../src/request-log/request-log.ts'
import type { SeenResponse } from '../../src/service/service.ts'
import type { Api } from './api.ts'
import { countAdded } from './count-added.ts'
import { cell, element, find, row, updateList } from './elements.ts'
import { requestLine } from './request-line.ts'

const maxShown = 20
const maxTextLength = 300
// Screen readers read announcements aloud: at most one in this time.
const announcementIntervalMs = 10_000

/** The section "Latest requests", newest first, with the mistakes of clients. */
export interface RequestPanel {
  /** `nameOf` returns the name of a key. */
  show(requests: readonly LoggedRequest[], nameOf: (keyId: string) => string): void
  showAudit(audit: readonly ClientAudit[], nameOf: (keyId: string) => string): void
}

interface NumberedRequest {
  readonly number: number
  readonly request: LoggedRequest
}

const statusClass = (status: number | null) =>
  `status${status === null || status >= 500 ? ' server-error' : status >= 400 ? ' client-error' : ''}`

const truncate = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text)

/** What determined the response, as far as the log says. */
const remarksOf = ({ status, message, rejectedBy, retryAfterMs, faults, assumptions }: LoggedRequest): string[] =>
  [
    message ?? (status === null ? 'no complete response' : 'ok'),
    rejectedBy ? `rejected by: ${rejectedBy}` : '',
    retryAfterMs === undefined ? '' : `retry after ${(retryAfterMs / 1000).toFixed(1)} s`,
    faults ? `fault: ${faults.join(', ')}` : '',
    Object.entries(assumptions ?? {})
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(', '),
  ].filter((remark) => remark !== '')

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** The response to a request, as text; of the latest ones only. */
const responseTo = async (api: Api, request: LoggedRequest): Promise<string> => {
  const seen = (await api.request('responses')) as SeenResponse[]
  const found = seen.findLast((one) => JSON.stringify(one.request) === JSON.stringify(request))
  if (!found) return 'The mock server keeps the latest 20 responses only.'
  const headers = Object.entries(found.headers).map(([name, value]) => `${name}: ${value}`)
  return [...headers, ...(headers.length > 0 ? [''] : []), indented(found.body)].join('\n')
}

/** The line of a request, which shows its response when it is clicked, and hides it again. */
const createResponseButton = (api: Api, request: LoggedRequest): HTMLElement => {
  const line = element(
    'button',
    { type: 'button', class: 'line', 'aria-expanded': 'false' },
    element('code', {}, truncate(requestLine(request))),
  )
  const response = element('pre', { class: 'response', tabindex: '0' })
  response.hidden = true
  line.addEventListener('click', () => {
    response.hidden = !response.hidden
    line.setAttribute('aria-expanded', String(!response.hidden))
    if (response.hidden || response.textContent !== '') return
    void responseTo(api, request).then(
      (text) => void (response.textContent = text),
      (error: unknown) => void (response.textContent = String(error)),
    )
  })
  return element('div', {}, line, response)
}

/** Sets up the section "Latest requests". */
export const createRequestPanel = (api: Api): RequestPanel => {
  const list = find('request-list', HTMLElement)
  const announcement = find('request-announcement', HTMLElement)
  let previous: readonly string[] | undefined
  let numbered: readonly NumberedRequest[] = []
  let count = 0
  let unannounced = 0
  let announcedAt = -Infinity

  const createRow = ({ request }: NumberedRequest, nameOf: (keyId: string) => string): Element => {
    const { at, status, keyId } = request
    const date = new Date(at).toISOString()
    const [result = '', ...more] = remarksOf(request)
    const details = more.length > 0 ? [element('small', {}, truncate(more.join(' · ')))] : []
    return row(
      { class: 'new' },
      cell('', element('time', { datetime: date, title: date }, date.slice(11, 23))),
      cell('', element('span', { class: statusClass(status) }, status === null ? '–' : String(status))),
      cell('', createResponseButton(api, request)),
      cell('key', keyId === null ? 'unknown key' : nameOf(keyId)),
      cell('', truncate(result), ...details),
    )
  }

  const announce = (added: number, latest: LoggedRequest | undefined) => {
    unannounced += added
    if (unannounced === 0 || !latest || performance.now() - announcedAt < announcementIntervalMs) return
    const requests = unannounced === 1 ? 'request' : 'requests'
    announcement.textContent = `${unannounced} new ${requests}, latest status ${latest.status ?? 'none'}`
    announcedAt = performance.now()
    unannounced = 0
  }

  return {
    show(requests, nameOf) {
      const latest = requests.slice(-maxShown)
      const texts = latest.map((request) => JSON.stringify(request))
      const added = countAdded(previous ?? [], texts)
      const addedRequests = latest.slice(latest.length - added).map((request) => ({ number: ++count, request }))
      numbered = [...numbered, ...addedRequests].slice(-latest.length || numbered.length + addedRequests.length)
      if (previous) announce(added, latest.at(-1))
      previous = texts
      updateList(
        list,
        numbered.toReversed(),
        ({ number }) => String(number),
        (one) => createRow(one, nameOf),
      )
      find('no-requests', HTMLElement).hidden = latest.length > 0
    },
    showAudit(audit, nameOf) {
      const findings = audit.flatMap(({ keyId, findings: found }) =>
        found.map((finding) => `${nameOf(keyId)}: ${finding}`),
      )
      updateList(
        find('audit', HTMLElement),
        findings,
        (finding) => finding,
        (finding) => element('li', {}, finding),
      )
      find('audit', HTMLElement).hidden = findings.length === 0
    },
  }
}
