import type { faker as sharedFaker } from '@faker-js/faker/locale/en'

export type Faker = typeof sharedFaker

/** An instance of our own: the shared one belongs to whoever else uses faker. */
export const createFaker = (seed: number, library: Faker): Faker => {
  const FakerClass = library.constructor as new (options: { locale: unknown; seed: number }) => Faker
  return new FakerClass({ locale: library.rawDefinitions, seed })
}
