import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { candidatesFor, type Candidate } from './ask/candidates.ts'
import { choose } from './ask/choose.ts'
import { pageCandidates } from './ask/page-candidates.ts'
import { Aspects, aspects, aspectsOfOrder, aspectsOfSort, entriesIn, groupsOf, isSameIn } from './infer/aspects.ts'
import { tellingIn } from './infer/confirm.ts'
import type { Observation } from './infer/observation.ts'
import type { Copy } from './infer/copy.ts'
import { kindsOf } from './infer/kinds.ts'
import { Inference } from './infer/inference.ts'
import { entryOrderIn } from './infer/order.ts'
import type { Ledger, Place } from './read/ledger.ts'
import { askUntilWhole, type Service } from './read/service.ts'

/** So many requests in a row may show nothing new. */
const maxIdle = 6
const nameOf = ({ request }: Pick<Candidate, 'request'>): string => JSON.stringify(request)

/** Sends requests until none tells values apart. */
export class Explorer {
  inference: Inference
  readonly ledger: Ledger
  readonly unsteady: Observation[] = []
  /** Orders that differed between two responses to one request. */
  readonly #random = new Set<AssumptionKey>()
  /** Requests on whose responses nothing was open: they tested the result. */
  verifications = 0
  readonly #service: Service
  /** Requests whose responses were taken into account, with their kinds. */
  readonly #taken = new Map<string, string>()
  #copy: Copy | undefined
  #candidates: Candidate[] = []
  /** Observations since the ledger was last known to be the copy. */
  #unchecked: Observation[] = []

  /** `known` are assumptions that an earlier probe decided. */
  constructor(service: Service, ledger: Ledger, known: ReadonlySet<AssumptionKey>) {
    this.inference = new Inference(known)
    this.#service = service
    this.ledger = ledger
  }

  /** What is known of the order in which transactions entered the ledger. */
  get order(): ReturnType<typeof entryOrderIn> {
    return entryOrderIn(this.inference.observations, this.ledger.copy)
  }

  /** Requests that were not sent yet. */
  get unsent(): Candidate[] {
    return this.#candidates.filter((one) => !this.#taken.has(nameOf(one)))
  }

  /** Looks for changes of the ledger. Returns the ledgers that the last response may be about. */
  async #refresh(at?: Place): Promise<readonly Copy[]> {
    const before = this.ledger.copy
    const copies = await this.ledger.refresh(at)
    const suspects = this.#unchecked
    this.#unchecked = []
    if (this.ledger.copy === before || suspects.length === 0) return copies
    // Conflicts were about another ledger. A new inference has no divided numbers, which would make the search longer.
    const { known, observations } = this.inference
    this.inference = new Inference(known, [...this.#random])
    for (const one of observations) {
      if (!suspects.includes(one)) this.#take(one)
      else if (copies.length > 0) this.#take({ ...one, copies })
      else this.#taken.delete(nameOf(one))
    }
    return copies
  }

  async #ask({ request, place }: Candidate): Promise<Observation> {
    const before = this.ledger.copy
    const { status, body } = await askUntilWhole(this.#service, request)
    const isNews = status === 200 && this.ledger.isNews(entriesIn(body))
    const copies = isNews || this.ledger.hasChanged ? await this.#refresh() : [before]
    const observed = new Aspects(status, body)
    return { request, place, observed, groups: groupsOf(body), copies, kinds: kindsOf(request) }
  }

  /** Sends a request and takes the response into account; returns whether less is possible now. */
  async observe(candidate: Candidate): Promise<boolean> {
    let observation = await this.#ask(candidate)
    for (let attempt = 0; attempt < 3 && !this.#explains(observation); attempt++) {
      // The ledger may have changed, or the response may have been an accident.
      const before = this.ledger.copy
      const first = this.ledger.hasChanged ? observation : { ...observation, copies: await this.#refresh() }
      observation = first
      if (this.#explains(first)) break
      observation = await this.#ask(candidate)
      await this.#refresh(this.ledger.hasChanged ? 'all' : 'oldest')
      if (this.ledger.copy !== before) continue
      if (!this.#compare(first, observation)) break
    }
    if (this.ledger.unusable || observation.copies.length === 0) return false
    this.#taken.set(nameOf(candidate), candidate.place)
    if (!this.ledger.hasChanged) this.#unchecked.push(observation)
    return this.#take(observation)
  }

  /** Compares two responses to one request, and takes note of how they differ. Returns whether they do. */
  #compare(first: Observation, second: Observation): boolean {
    const different = aspects.filter((aspect) => !isSameIn(aspect, first.observed, second.observed))
    if (different.length === 0) return false
    // Ties and groups may be in a random order. Anything else looks like several services, or a new version.
    const sortedBy = aspectsOfSort(first.request, this.inference.reference).at(-1)
    const isOtherSort = sortedBy && different.includes(sortedBy) && !different.includes('items')
    if (isOtherSort || !different.every((aspect) => aspectsOfOrder.has(aspect))) this.unsteady.push(first)
    else {
      const order = different.every((aspect) => aspect === 'groups') ? 'groupOrder' : 'tieOrder'
      this.#random.add(order)
      this.inference.giveUp(order)
    }
    return true
  }

  #explains(observation: Observation): boolean {
    return !!this.ledger.unusable || observation.copies.length === 0 || this.inference.explains(observation)
  }

  /** Takes a response into account. Where responses show that "as they entered the ledger" cannot be, rules it out. */
  #take(observation: Observation): boolean {
    const isProgress = this.inference.learn(observation)
    for (const key of ['tieOrder', 'groupOrder'] as const) {
      const values = this.inference.domains.get(key) ?? []
      const isById = values.some((value) => /-id/.test(String(value)))
      if (values.includes('ledger') && this.order.isExcluded[key](isById)) this.inference.exclude(key, 'ledger')
    }
    return isProgress
  }

  #next(): Candidate | undefined {
    const { copy, window } = this.ledger
    if (copy !== this.#copy) this.#candidates = candidatesFor(copy.entries, window)
    this.#copy = copy
    const candidates = this.unsent
    const pages = pageCandidates(this.ledger, this.inference).filter((one) => !this.#taken.has(nameOf(one)))
    const kinds = new Set(this.#taken.values())
    const untested = [...candidates, ...pages].find(({ place }) => !kinds.has(place))
    // `choose` compares only a few, and candidates of one kind stand together: it gets a mixture.
    const mixed = [...Map.groupBy(candidates, (_, i) => i % 7).values()].flat()
    // Pages that are left divide the numbers that the largest page may be.
    return untested ?? pages[0] ?? choose(mixed, this.inference.pool, copy)
  }

  /** Asks until each situation is tested, and no request tells values apart. Returns whether it came to that. */
  async explore(): Promise<boolean> {
    for (let idle = 0; !this.ledger.unusable;) {
      const next = idle < maxIdle ? this.#next() : undefined
      if (!next && !this.inference.reconsider()) return true
      if (!next) idle = 0
      if (!next) continue
      const isPlanned = ![...this.#taken.values()].includes(next.place)
      const isProgress = await this.observe(next)
      if (isPlanned && !isProgress) this.verifications++
      idle = isProgress || isPlanned ? 0 : idle + 1
    }
    return false
  }

  /**
   * The service may have changed meanwhile, or an order may be random: sends some requests again. Returns whether an order
   * is random, so that less is to be given up.
   */
  async askAgain(): Promise<boolean> {
    const before = this.#random.size
    for (const first of this.ledger.unusable ? [] : tellingIn(this.inference, this.#random)) {
      const second = await this.#ask(first)
      if (aspects.every((aspect) => isSameIn(aspect, first.observed, second.observed))) continue
      await this.#refresh('oldest')
      // A response about an earlier ledger may be another for that reason.
      const { copy } = this.ledger
      if ([...first.copies, ...second.copies].every((one) => one === copy)) this.#compare(first, second)
      else if (!this.#explains(second)) await this.observe(first)
      if (this.unsteady.length > 0 || this.#random.size > before) break
    }
    return this.#random.size > before
  }

  /** Looks whether the ledger is still the copy. If it has changed, everything since the last look is learned again. */
  async checkLedger(): Promise<void> {
    if (this.ledger.size > 0) await this.#refresh('oldest')
  }
}
