import type { ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { candidatesFor } from './ask/candidates.ts'
import type { Candidate } from './ask/candidate.ts'
import { Coverage } from './ask/coverage.ts'
import { pageCandidates, pageChecks } from './ask/page-candidates.ts'
import { choose } from './ask/choose.ts'
import { Aspects, aspects, aspectsOfOrder, entriesIn, groupsOf, isSameIn } from './infer/aspects.ts'
import { withCopies, type Constraint, type Observation } from './infer/constrain.ts'
import type { Copy } from './infer/copy.ts'
import { excludeByOrder } from './infer/exclude-by-order.ts'
import { Inference } from './infer/inference.ts'
import { EntryOrder } from './infer/order.ts'
import { pagesToTry } from './infer/pages.ts'
import { createRandom, shuffled } from './infer/random.ts'
import type { Ledger } from './read/ledger.ts'
import { askUntilWhole, type Service } from './read/service.ts'

/** So many requests in a row may show nothing new. */
const maxIdle = 6
/** So often everything is learned again from a better order of entry. */
const maxRefinements = 2
/** So often a response that nothing explains is requested again while the ledger changes. */
const maxAttempts = 3
const nameOf = (request: ModelRequest): string => JSON.stringify(request)

/** Sends requests until none tells values apart. */
export class Explorer {
  inference = new Inference()
  readonly ledger: Ledger
  readonly unsteady: Observation[] = []
  readonly #service: Service
  readonly #coverage = new Coverage()
  readonly #names = new Set<string>()
  #pending: Observation[] = []
  #copy: Copy | undefined
  #candidates: Candidate[] = []
  /** How many ties were known each time that everything was learned again. */
  readonly #refinements: number[] = []
  #settled = new WeakSet<Candidate>()
  #settledAt = 0
  /** Observations since the ledger was last known to be the copy. */
  #unchecked: Observation[] = []

  constructor(service: Service, ledger: Ledger) {
    this.#service = service
    this.ledger = ledger
  }

  /** A request in situations in which none was sent, as many as possible; `undefined` if there are none. */
  untested(): Candidate | undefined {
    this.#follow()
    const all = [...pageChecks(this.ledger, this.inference), ...this.#candidates]
    return this.#coverage.most(all, this.ledger.copy, this.inference.reference)
  }

  /** What is known of the order in which transactions entered the ledger. */
  get order(): EntryOrder {
    return new EntryOrder(this.inference.observations, this.ledger.entries, this.ledger.hidesDigits)
  }

  #follow(): Copy {
    const { copy, window } = this.ledger
    if (copy === this.#copy) return copy
    const all = candidatesFor(copy.entries, window)
    this.#candidates = all.filter(({ request }) => !this.#names.has(nameOf(request)))
    return (this.#copy = copy)
  }

  /** Looks for new transactions. Returns the ledgers that the last response may be about. */
  async #refresh(): Promise<readonly Copy[]> {
    const before = this.ledger.copy
    const copies = (await this.ledger.refresh()) ?? []
    const suspects = this.#unchecked
    this.#unchecked = []
    if (this.ledger.copy !== before && suspects.length > 0) this.#relearn(suspects, copies)
    return copies
  }

  /** Learns everything again, with other ledgers for the responses since the ledger was last seen unchanged. */
  #relearn(suspects: readonly Observation[], copies: readonly Copy[]): void {
    const known = this.inference.observations.filter((one) => !suspects.includes(one))
    const all = [...known, ...(copies.length > 0 ? suspects.map((suspect) => withCopies(suspect, copies)) : [])]
    this.inference = new Inference()
    this.#settledAt = -1
    this.#pending = []
    for (const one of all) this.#take(one)
  }

  /** Sends a request and takes the response into account; returns whether less is possible now. */
  async observe(candidate: Candidate): Promise<boolean> {
    const { request, place } = candidate
    this.#coverage.add(candidate, this.ledger.copy, this.inference.reference)
    this.#names.add(nameOf(request))
    this.#candidates = this.#candidates.filter((one) => one.request !== request)
    const ask = async (): Promise<Observation> => {
      const before = this.ledger.copy
      const { status, body } = await askUntilWhole(this.#service, request)
      const isNews = status === 200 && this.ledger.isNews(entriesIn(body))
      const copies = isNews || this.ledger.hasGrown ? await this.#refresh() : [before]
      return { request, place, observed: new Aspects(status, body), groups: groupsOf(body), copies }
    }
    let observation = await ask()
    for (let attempt = 0; attempt < maxAttempts && !this.#explains(observation); attempt++) {
      // The ledger may have changed, or the response may have been an accident.
      const before = this.ledger.copy
      if (!this.ledger.hasGrown) observation = withCopies(observation, await this.#refresh())
      if (this.#explains(observation)) break
      const again = await ask()
      const different = aspects.filter((aspect) => !isSameIn(aspect, observation.observed, again.observed))
      const isSame = different.length === 0
      await this.#refresh()
      if (this.ledger.copy === before && !isSame) {
        // An order may be random. Anything else looks like several services behind one address.
        if (different.every((aspect) => aspectsOfOrder.has(aspect))) this.#take(observation)
        else this.unsteady.push(observation)
      }
      observation = again
      if (this.ledger.copy === before && isSame) break
    }
    if (this.ledger.unusable || observation.copies.length === 0) return false
    if (!this.ledger.hasGrown) this.#unchecked.push(observation)
    return this.#take(observation)
  }

  #explains(observation: Observation): boolean {
    const isUsable = !this.ledger.unusable && observation.copies.length > 0
    const constraints = isUsable ? this.inference.constraintsOf(observation) : undefined
    return !constraints || this.inference.explains(constraints)
  }

  #take(observation: Observation): boolean {
    const constraints = this.inference.constraintsOf(observation)
    if (constraints) return this.#learn(observation, constraints)
    this.#pending.push(observation)
    return false
  }

  #learn(observation: Observation, constraints: readonly Constraint[]): boolean {
    const isProgress = this.inference.learn(observation, constraints)
    excludeByOrder(this.inference, () => this.order)
    if (!isProgress) return false
    const waiting = this.#pending
    this.#pending = []
    for (const one of waiting) this.#take(one)
    return true
  }

  /** Learns more from all responses once it is known that ties are in the order of entry. */
  #refine(): boolean {
    const { domains, blamed } = this.inference
    if (blamed.size > 0 || domains.get('tieOrder')?.join() !== 'ledger' || this.ledger.hasGrown) return false
    const { order } = this
    const count = order.ties.edges().length
    if (count === (this.#refinements.at(-1) ?? 0) || this.#refinements.length === maxRefinements) return false
    this.#refinements.push(count)
    const before = this.ledger.copy
    this.ledger.reorder((entries) => order.sorted(entries))
    for (const one of this.inference.observations.slice())
      if (one.copies[0] === before) this.#take(withCopies(one, [this.ledger.copy]))
    return true
  }

  #next(): Candidate | undefined {
    const copy = this.#follow()
    const { inference } = this
    const candidates = shuffled(this.#candidates, createRandom(7))
    if (this.#settledAt !== inference.revision) this.#settled = new WeakSet()
    this.#settledAt = inference.revision
    const pages = () =>
      pageCandidates(copy.entries, pagesToTry(inference), this.ledger.window).filter(
        ({ request }) => !this.#names.has(nameOf(request)),
      )
    const untested = candidates.filter((one) => this.#coverage.isNew(one, copy, inference.reference))
    return (
      choose(untested, inference, copy, this.#settled) ??
      choose(candidates, inference, copy, this.#settled) ??
      choose(pages(), inference, copy, this.#settled) ??
      choose(candidates, inference, copy, this.#settled, false)
    )
  }

  /** Asks until no request tells values apart. */
  async explore(): Promise<void> {
    for (let idle = 0; !this.ledger.unusable;) {
      const candidate = idle < maxIdle ? this.#next() : undefined
      if (candidate) idle = (await this.observe(candidate)) ? 0 : idle + 1
      else if (this.#refine()) idle = 0
      else break
    }
    await this.checkLedger()
  }

  /** Looks whether the ledger is still the copy. If it has grown, everything since the last look is learned again. */
  async checkLedger(): Promise<void> {
    if (this.ledger.size === 0) return
    if (!this.ledger.hasGrown) await this.#refresh()
    await this.ledger.refresh('oldest')
  }
}
