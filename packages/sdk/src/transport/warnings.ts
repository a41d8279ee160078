import { ApiError } from '../errors/index.ts'
import { timeNow, type Throttle } from '../throttle/index.ts'
import { inOneLine } from './foreign-error.ts'
import type { Log, LogFields } from './log.ts'

/** Method and endpoint of a label such as `GET /guild/ledger/transactions`. */
export const endpointOf = (label: string): Pick<LogFields, 'method' | 'endpoint'> => {
  return { method: 'GET', endpoint: label.replace('GET ', '') }
}

/** A JSON number that may have more digits than a double keeps. */
const longNumber = /[:[,]\s*(-?\d[\d.]{15,})/g
const manyDigits = new RegExp('[\\d.]'.repeat(16)) // V8 skips text for this, but not for `[\d.]{16}`
const digitsOf = (number: string): string => number.replace(/^[-0.]+|\.|e.*/g, '')
/** Sums of doubles have 17 digits, and lose none: `30.000000000000004`. */
const losesDigits = (number: string): boolean => {
  const digits = digitsOf(number)
  return digits.length > 15 && digitsOf(Number(number).toPrecision(Math.min(digits.length, 100))) !== digits
}

let isChangeKnown = false

/** Warns once of numbers that lose digits, and once in a process that the service announces a change of its interface. */
export const createResponseWarnings = (log: Log): ((headers: Headers, text: string, label: string) => void) => {
  let isNumberKnown = false
  return (headers, text, label) => {
    const changes = isChangeKnown ? [] : ['deprecation', 'sunset'].filter((name) => headers.has(name))
    if (changes.length > 0) {
      isChangeKnown = true
      const announced = changes.map((name) => `${name}: ${inOneLine(headers.get(name) ?? '')}`).join(', ')
      log('warn', 'change_announced', `The service announces a change (${announced}): ask its operator.`)
    }
    if (isNumberKnown || !manyDigits.test(text)) return
    const number = [...text.matchAll(longNumber)].find(([, one = '']) => losesDigits(one))?.[1]
    if (number === undefined) return
    isNumberKnown = true
    const message = `${label}: the number ${number.slice(0, 40)} has more digits than a number of JavaScript keeps.`
    log('warn', 'digits_lost', message, () => endpointOf(label))
  }
}

const longWaitMs = 5000
/** Where one call waits long, others do. */
const betweenLongWaitsMs = 60_000

/** Warns of a call that waited long for the throttle, when its wait is over. */
export const createWaitWarning = (log: Log) => {
  let lastAt = -Infinity
  return ({ stats }: Pick<Throttle, 'stats'>, label: string, waitedMs: number): void => {
    const now = timeNow()
    if (waitedMs < longWaitMs || now - lastAt < betweenLongWaitsMs) return
    lastAt = now
    const message =
      `${label} waited ${Math.round(waitedMs / 1000)} s for the throttle: ${JSON.stringify(stats)}. Start fewer calls at ` +
      'once, or set timeoutMs to give up sooner.'
    log('warn', 'long_wait', message, () => ({ ...endpointOf(label), waitMs: Math.round(waitedMs), stats }))
  }
}

/** 402: without a subscription the keys of a guild are none. */
const rejections = new Set([401, 402, 403])

/** Warns of a key that the service rejects: once for each key and reason. */
export const createRejectionWarning = (log: Log, keyNow: () => string | undefined): ((error: unknown) => void) => {
  let key: string | undefined
  let known = new Set<string>()
  return (error) => {
    if (!(error instanceof ApiError && rejections.has(error.status))) return
    const { status, code, reason, message, retryable } = error
    if (reason === undefined || retryable) return // not the service
    if (key !== keyNow()) known = new Set()
    key = keyNow()
    const cause = `${status} ${reason}`
    if (known.has(cause)) return
    known.add(cause)
    log('warn', 'key_rejected', `The service rejected the API key: ${message}`, () => ({ status, code, reason }))
  }
}
