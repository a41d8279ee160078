/** The last so many of a row of JSON values, oldest first. */
export interface Packed<Item> {
  add(item: Item): void
  all(): Item[]
  restore(items: readonly Item[]): void
}

interface Pack {
  bytes: Uint8Array
  length: number
}

const perPack = 256
// A pack that is much larger than what it holds is given back.
const roomAtMost = 8

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const fill = (pack: Pack, items: readonly unknown[]): void => {
  const text = JSON.stringify(items)
  const fits = pack.bytes.length >= text.length && pack.bytes.length <= roomAtMost * text.length
  if (!fits) pack.bytes = new Uint8Array(text.length)
  let { read, written } = encoder.encodeInto(text, pack.bytes)
  if (read < text.length) {
    // Not all of it was ASCII.
    pack.bytes = encoder.encode(text)
    written = pack.bytes.length
  }
  pack.length = written
}

const unpacked = <Item>({ bytes, length }: Pack): Item[] =>
  JSON.parse(decoder.decode(bytes.subarray(0, length))) as Item[]

/**
 * Keeps values as bytes beside the heap, in packs that are used again. As objects they would live just long enough to
 * be taken for lasting: a server under load then holds a hundred megabytes of them that nobody needs any more.
 */
export const createPacked = <Item>(kept: number): Packed<Item> => {
  const mostPacks = Math.ceil(kept / perPack)
  let packs: Pack[] = []
  let open: Item[] = []
  const add = (item: Item): void => {
    if (kept === 0) return
    open.push(item)
    if (open.length < perPack) return
    const pack = packs.length < mostPacks ? undefined : packs.shift()
    const next = pack ?? { bytes: new Uint8Array(), length: 0 }
    fill(next, open)
    packs.push(next)
    open = []
  }
  return {
    add,
    all() {
      const items = [...packs.flatMap((pack) => unpacked<Item>(pack)), ...open]
      return items.slice(Math.max(0, items.length - kept))
    },
    restore(items) {
      packs = []
      open = []
      for (const item of items) add(item)
    },
  }
}
