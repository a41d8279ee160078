import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { http, pageText, type Hostile, type HostileResponses } from './hostile.ts'
import { shapes } from './shapes.ts'

const mebibyte = 1024 * 1024
const named = (prefix: string, rows: readonly (readonly [string, Hostile])[]): HostileResponses =>
  Object.fromEntries(rows.map(([name, row]) => [`${prefix}: ${name}`, row]))
const ofShapes = (prefix: string, names: readonly string[], toRow: (shape: (length: number) => string) => Hostile) =>
  named(
    prefix,
    names.map((name) => [name, toRow(shapes[name] as (length: number) => string)]),
  )

/** The shapes that cost most. */
const costly = [
  'objects with much space',

  'nested arrays',
  'empty objects',
  'many field names',
  'objects of three new fields',
  'different strings',
]

/** Sent once and made once: what makes them takes longer than what reads them. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

const zeros = once(() => `"${'0'.repeat(64 * mebibyte)}"`)
const compressed = (encoding: string, make: (text: string) => Uint8Array): Hostile => {
  const body = once(() => make(zeros()))
  return { send: () => http(body(), { 'content-encoding': encoding }), expected: ['invalid_response'] }
}
const nestedGzip = once(() => Array.from({ length: 4 }).reduce<Uint8Array>((body) => gzipSync(body), gzipSync(zeros())))

const badText = (text: string | Uint8Array): Hostile => ({ send: () => http(text), expected: ['invalid_response'] })
const page = pageText({})

/** What success responses hold. */
export const bodies: HostileResponses = {
  ...ofShapes('body of 512 KiB', Object.keys(shapes), (shape) => ({
    send: () => http(shape(524_288)),
    expected: ['invalid_response'],
  })),
  ...ofShapes('body of 512 KiB, unvalidated', costly, (shape) => ({
    send: () => http(shape(524_288)),
    validation: 'off',
    expected: ['result', 'invalid_response'],
  })),
  ...ofShapes('page with a field of 500 KB', costly, (shape) => ({
    send: () => http(pageText({ extra: shape(500_000) })),
    expected: ['result', 'invalid_response'],
  })),
  ...ofShapes('pages without end, each with a field of 500 KB', costly, (shape) => ({
    send: ({ page: number }) =>
      http(
        pageText({ page: number, from: number * 10, limit: 10, total: 1e9, totalPages: 1e8, extra: shape(500_000) }),
      ),
    use: 'pages',
    expected: ['aborted', 'invalid_response'],
  })),
  ...ofShapes('transactions without end, with a field of 500 KB on the second page', costly, (shape) => {
    const extra = (number: number) => (number > 1 ? { extra: shape(500_000) } : {})
    return {
      send: ({ page: number }) =>
        http(pageText({ page: number, from: number * 10, limit: 10, total: 1e9, totalPages: 1e8, ...extra(number) })),
      use: 'iterate',
      expected: ['aborted', 'invalid_response'],
    }
  }),
  ...named('compressed', [
    ['gzip', compressed('gzip', gzipSync)],
    ['deflate', compressed('deflate', deflateSync)],
    ['brotli', compressed('br', brotliCompressSync)],
    ['zstd', compressed('zstd', zstdCompressSync)],
    [
      'gzip five times',
      {
        send: () => http(nestedGzip(), { 'content-encoding': 'gzip, gzip, gzip, gzip, gzip' }),
        expected: ['invalid_response'],
      },
    ],
    [
      'gzip of gzip',
      { send: () => http(gzipSync(gzipSync(page)), { 'content-encoding': 'gzip' }), expected: ['invalid_response'] },
    ],
    ['no gzip at all', { send: () => http(page, { 'content-encoding': 'gzip' }), expected: ['connection'] }],
    [
      'gzip cut off',
      {
        send: () => http(gzipSync(page).subarray(0, 60), { 'content-encoding': 'gzip' }),
        expected: ['connection', 'invalid_response'],
      },
    ],
    [
      'a hundred encodings',
      {
        send: () => http(page, { 'content-encoding': Array(100).fill('gzip').join() }),
        expected: ['connection', 'invalid_response'],
      },
    ],
    ['an unknown encoding', { send: () => http(page, { 'content-encoding': 'rot13' }), expected: ['result'] }],
  ]),
  ...named('text', [
    ['empty', badText('')],
    ['null', badText('null')],
    ['a string', badText('"page"')],
    ['NaN', badText('NaN')],
    ['a trailing comma', badText(`${page.slice(0, -1)},}`)],
    ['HTML', badText('<!doctype html><title>Sign in</title>')],
    ['UTF-16', badText(new Uint8Array(Buffer.from(page, 'utf16le')))],
    ['zero bytes', badText(new Uint8Array(500_000))],
    ['invalid UTF-8', badText(new Uint8Array(500_000).fill(0xff))],
    ['a byte order mark', { send: () => http(`\u{feff}${page}`), expected: ['result'] }],
    ['two pages', badText(page + page)],
    ['half a page', badText(page.slice(0, 300))],
  ]),
}
