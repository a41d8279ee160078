import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Api } from './api.ts'
import { cell, element, find, row, updateList } from './elements.ts'
import { guildPath } from './responses.ts'

/** The section "Latest transactions". They are fetched only while it is open. */
export interface TransactionList {
  show(guildId: string): Promise<void>
}

const createRow = ({ createdAt, platformId, name, source, amount, quantity, total }: LedgerEntry): HTMLElement =>
  row(
    {},
    cell('', element('time', { datetime: createdAt }, createdAt.slice(0, 19).replace('T', ' '))),
    cell('user', element('code', {}, platformId)),
    cell('', name),
    cell('from', source),
    cell('amount', `${amount} × ${quantity}`),
    cell('total', String(total)),
  )

/** Sets up the section "Latest transactions". `onOpen` is called when it is opened. */
export const createTransactionList = (api: Api, onOpen: () => void): TransactionList => {
  const section = find('transactions', HTMLDetailsElement)
  section.addEventListener('toggle', () => {
    if (section.open) onOpen()
  })
  return {
    async show(guildId) {
      if (!section.open) return
      const latest = (await api.request(`${guildPath(guildId)}/transactions/latest`)) as LedgerEntry[]
      updateList(
        find('transaction-list', HTMLElement),
        latest.toReversed(),
        (one) => `${guildId} ${JSON.stringify(one)}`,
        createRow,
      )
      find('no-transactions', HTMLElement).hidden = latest.length > 0
    },
  }
}
