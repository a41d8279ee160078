/** Offers the golden suite to a web page, behind MSW's service worker. */
import { setupWorker } from 'msw/browser'
import { goldenSuite, responsesThrough } from './requests.ts'

const golden = async (): Promise<string> => {
  const { mock, requests } = goldenSuite()
  const network = setupWorker(...mock.handlers)
  await network.start({ quiet: true, onUnhandledFrame: 'error', serviceWorker: { url: '/mockServiceWorker.js' } })
  const responses = await responsesThrough(fetch, mock.origin, requests)
  return responses.map((response) => `${JSON.stringify(response)}\n`).join('')
}

Object.assign(globalThis, { golden })
