import { expectTypeOf, it } from 'vitest'
import type { Fetch } from './options.ts'

it('takes the global fetch, one with DOM types, and one whose responses only have the same shape', () => {
  expectTypeOf<typeof globalThis.fetch>().toExtend<Fetch>()
  expectTypeOf<(url: string, init: RequestInit) => Promise<Response>>().toExtend<Fetch>()
  expectTypeOf<
    (
      url: string,
      init?: { method?: string; headers?: Record<string, string>; signal?: AbortSignal | null; body?: never },
    ) => Promise<{
      status: number
      type: string
      headers: Map<string, string> & { get(name: string): string | null }
      body: object | null
      text(): Promise<string>
    }>
  >().toExtend<Fetch>()
  expectTypeOf<(url: string) => Promise<string>>().not.toExtend<Fetch>()
})
