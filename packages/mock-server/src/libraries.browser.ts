import { faker } from '@faker-js/faker/locale/en'
import { http } from 'msw/http'
import type { Libraries } from './libraries.ts'

/** For browsers, where everything a page may need has to be in its bundle. */
export const bundledLibraries: Libraries = { faker: () => faker, http: () => http, handlersFor: 'setupWorker of MSW' }
