/** Offers the golden suite to a web page, behind MSW's service worker. */
import { setupWorker } from 'msw/browser'
import { goldenSuite, repliesThrough } from './requests.ts'

const golden = async (): Promise<string> => {
  const { mock, requests } = goldenSuite()
  const network = setupWorker(...mock.handlers)
  await network.start({ quiet: true, onUnhandledFrame: 'error', serviceWorker: { url: '/mockServiceWorker.js' } })
  const replies = await repliesThrough(fetch, mock.origin, requests)
  return replies.map((reply) => `${JSON.stringify(reply)}\n`).join('')
}

Object.assign(globalThis, { golden })
