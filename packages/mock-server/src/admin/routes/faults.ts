import type { Fault } from '../../faults/index.ts'
import { arrayOf, schemaRef, type AdminRoutes } from '../route.ts'
import { findGuild } from './find-guild.ts'

export const faultRoutes: AdminRoutes = {
  '/_mock/guilds/{id}/faults': {
    GET: {
      operationId: 'listFaults',
      summary: 'Lists the faults of a guild, with how often each happened and how many requests it still affects',
      covers: ['guild.faults', 'guild.unusedFaults'],
      response: {
        description: 'The faults, oldest first. Of those that are used up, about the last 1,000.',
        schema: arrayOf('ScriptedFault'),
      },
      run: (request) => findGuild(request).faults,
    },
    POST: {
      operationId: 'addFault',
      summary: 'Adds a fault to a guild',
      covers: ['guild.fault'],
      requestBody: {
        json: { description: 'The fault, and the requests it affects.', schema: schemaRef('Fault') },
        example: { kind: 'status', status: 503, headers: { 'retry-after': '5' }, endpoint: 'guild', times: 2 },
      },
      response: { description: 'The fault as it is listed.', schema: schemaRef('ScriptedFault') },
      creates: true,
      run(request) {
        const guild = findGuild(request)
        guild.fault(request.body as Fault)
        return guild.faults.at(-1)
      },
    },
    DELETE: {
      operationId: 'clearFaults',
      summary: 'Removes all faults of a guild',
      covers: ['guild.clearFaults'],
      run: (request) => findGuild(request).clearFaults(),
    },
  },
}
