import type { Faker } from './faker.ts'

export interface Item {
  readonly name: string
  readonly price: number
}

/** Names that sort differently by code point, ignoring case, and by locale. A fifth of the transactions have one of them. */
const gameItems = [
  'Amber Ring',
  'amber ring',
  'Dragon Egg',
  'dragon egg',
  'Épée de fer',
  'Jötunn Axe',
  'Zephyr Cloak',
  'zephyr cloak',
]
const productCount = 112

/** Generates the items of a ledger; the returned function draws one. */
export const createItems = (faker: Faker): (() => Item) => {
  const price = () => faker.number.float({ min: 0.5, max: 250, fractionDigits: 2 })
  const special = gameItems.map((name) => ({ name, price: price() }))
  const products = Array.from({ length: productCount }, () => ({ name: faker.commerce.productName(), price: price() }))
  return () => faker.helpers.arrayElement(faker.datatype.boolean(0.2) ? special : products)
}
