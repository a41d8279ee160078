/** Offers the checks to a web page. */
import { conformance } from './conformance.ts'

Object.assign(globalThis, { conformance })
