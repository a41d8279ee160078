import type { Usage } from './algorithms.ts'

type UsagesByAddress = ReadonlyMap<string, ReadonlyMap<string, Usage>>

/** What the addresses used, in all guilds of a mock together. */
export type AddressUsages = ReturnType<typeof createAddressUsages>

/** Nothing has been used yet. */
export const createAddressUsages = () => {
  const byKind = new Map<string, Map<string, Usage>>()
  return {
    /** The usage of each address, of those guilds that count alike: what one algorithm keeps means nothing to another. */
    of(algorithmAndLimit: string): Map<string, Usage> {
      const usages = byKind.get(algorithmAndLimit) ?? new Map<string, Usage>()
      byKind.set(algorithmAndLimit, usages)
      return usages
    },
    clear: (): void => byKind.clear(),
    state: (): UsagesByAddress => new Map([...byKind].map(([kind, usages]) => [kind, new Map(usages)])),
    restore(state: UsagesByAddress): void {
      byKind.clear()
      for (const [kind, usages] of state) byKind.set(kind, new Map(usages))
    },
  }
}
