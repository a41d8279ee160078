import { bodies } from './bodies.ts'
import { errors } from './errors.ts'
import { framing } from './framing.ts'
import type { HostileResponses } from './hostile.ts'
import { pages } from './pages.ts'

/** Every hostile response, by its name. Each is one program. */
export const hostileResponses: HostileResponses = { ...bodies, ...framing, ...errors, ...pages }
