/** Makes the conformance checks available to a web page. */
import { conformance } from './conformance.ts'

Object.assign(globalThis, { conformance })
