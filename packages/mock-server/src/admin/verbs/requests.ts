import type { Fault } from '../../faults/index.ts'
import { Refused } from '../refused.ts'
import { manyOf, named, text, type Call, type Verbs } from '../verb.ts'
import { guildOf } from './guild-of.ts'

const logged = { is: 'The requests, oldest first; the last 10,000.', schema: manyOf('LoggedRequest') }

const expect = (call: Call): void => {
  const { count, ...pattern } = call.fields
  try {
    guildOf(call).expectRequests(count as number, pattern)
  } catch (error) {
    if (error instanceof TypeError || error instanceof Refused) throw error
    throw new Refused(409, (error as Error).message)
  }
}

/** What goes wrong, and what was asked. */
export const requestVerbs: Verbs = {
  '/_mock/guilds/{id}/faults': {
    GET: {
      id: 'listFaults',
      summary: 'The scripted failures of a guild, with how often each happened and is still to come',
      does: ['guild.faults'],
      replies: {
        is: 'The failures, oldest first; of those that are over, about the last 1,000.',
        schema: manyOf('ScriptedFault'),
      },
      run: (call) => guildOf(call).faults,
    },
    POST: {
      id: 'addFault',
      summary: 'Scripts a failure',
      does: ['guild.fail'],
      takes: {
        json: { is: 'What goes wrong, and for which requests.', schema: named('Fault') },
        example: { kind: 'status', status: 503, headers: { 'retry-after': '5' }, endpoint: 'guild', times: 2 },
      },
      run: (call) => guildOf(call).fail(call.body as Fault),
    },
    DELETE: {
      id: 'removeFaults',
      summary: 'Takes back all scripted failures of a guild',
      does: ['guild.recover'],
      run: (call) => guildOf(call).recover(),
    },
  },
  '/_mock/guilds/{id}/requests': {
    GET: {
      id: 'listRequests',
      summary: 'What was asked with the keys of a guild',
      does: ['guild.requests'],
      replies: logged,
      run: (call) => guildOf(call).requests,
    },
  },
  '/_mock/guilds/{id}/requests/expect': {
    POST: {
      id: 'expectRequests',
      summary: 'Passes if so many requests were as described',
      does: ['guild.expectRequests'],
      takes: {
        fields: {
          count: { is: 'How many.', schema: { type: 'integer', minimum: 0 }, isRequired: true },
          endpoint: { is: 'Only those to this operation.', schema: named('Endpoint') },
          platformId: { is: 'Only those for this user: in the path, or as the parameter of list-all.', schema: text },
          query: {
            is: 'Only those that sent these parameters with these values; others do not matter.',
            schema: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
          },
          keyId: { is: 'Only those with this key.', schema: text },
          status: { is: 'Only those that got this status.', schema: { type: 'integer' } },
        },
        example: { count: 1, endpoint: 'guild', query: { from: 'shop' }, status: 200 },
      },
      conflict: 'There were fewer or more. The message lists what was asked, ready to be read in a test report.',
      run: expect,
    },
  },
  '/_mock/guilds/{id}/conduct': {
    GET: {
      id: 'reportConduct',
      summary: 'What clients of a guild did wrong: too fast, back too early, the same page twice',
      does: ['guild.conduct'],
      replies: { is: 'A report for each key that was used.', schema: manyOf('Conduct') },
      run: (call) => guildOf(call).conduct(),
    },
  },
  '/_mock/requests': {
    GET: {
      id: 'listAllRequests',
      summary: 'What was asked of the service, with whichever key',
      does: ['mock.requests'],
      replies: logged,
      run: ({ mock }) => mock.requests,
    },
  },
}
