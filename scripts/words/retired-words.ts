/**
 * The retired words, and what to say instead. Patterns are matched as whole words on lower-case text in which names are
 * split (`underWay` and `under-way` are `under way`), so one pattern covers prose and names.
 */
export interface RetiredWord {
  /** A regular expression for the word or phrase. */
  readonly pattern: string
  /** What to say instead. */
  readonly say: string
  /** For words that ordinary English needs: identifiers, file and folder names only. */
  readonly namesOnly?: true
  /** Only in files whose path matches. */
  readonly path?: RegExp
}

const everywhere: Readonly<Record<string, string>> = {
  'doors?|carriers?': 'adapter',
  'walk(s|ed|ing|er|able)?': 'pagination, paginate, paginator',
  'stamps?|stamped': 'result version',
  'readings|(a|the|this|that|each|every|first|one|other|another|which|its) reading':
    'assumption value (or page result)',
  'spoil(s|ed|er|t|ing)?': 'apply faults',
  'aim(s|ed|ing)?': 'request matcher',
  told: 'notified, reported, called',
  'under way|on (its|their) way': 'in flight',
  'for ever': 'until stopped, forever',
  'mend(s|ed|ing)?': 'fix',
  'floors?|storeys?': 'layer',
  house: 'architecture, repository',
  'on your desk': 'locally',
  'strangers?': 'clean install',
  'beside:|`beside`|on served': 'routes, onResponse',
  patience: 'timeouts',
  'recall(s|ed)?': 'cache',
  'verbs?': 'route, operation, method',
  'whole numbers?': 'integer',
  'half characters': 'lone surrogates',
  'must be (a )?text|a text|(object|list|array) of texts': 'string',
  'must be a list': 'array',
  'ask(s|ed)? again': 'retry',
  'speaks? against': 'is wrong with, violates',
  '(errors?|failures?|status(es)?|way) that (may|will)( not)? pass': 'transient',
  'refus(e|es|ed|al|als|ing)': 'reject; error response',
  'repl(y|ies|ied)': 'response, respond',
  'answer(s|ed|ing)?': 'response, respond, return',
  'silences?|open points?': 'unspecified behaviour',
  'not shown': 'unspecified',
  "the (service's )?document": 'the spec',
  'stor(y|ies)': 'response metadata; sequence',
  'blot(s|ted|ting)?': 'redact',
  papers: 'docs',
  manners: 'HTTP conformance',
  'worlds?': 'isolated guild',
  conduct: 'audit',
  '(each|every|first|next|two|another|last|failed|between) looks?': 'poll',
  'spell(ing|ings|ed)|spelt': 'format, form',
  'page for people': 'dashboard',
  unsent: 'notSent',
  abandoned: 'aborted',
  'key holder': 'authentication',
  inwords: 'describeValue',
}

const names: Readonly<Record<string, string>> = {
  '(asked|asks?)': 'request, call, retry',
  course: 'session',
  going: 'session',
  'looks?': 'poll',
  'moments?': 'timestamp',
  'beats?': 'heartbeat',
  'talks?': 'sync',
  'go on alone': 'localShare',
  tell: 'notify, report',
  strange: 'unknown name',
  'in words': 'describeValue',
  beside: 'routes',
  'flaws?': 'violations',
  'assumption rows?': 'assumptionDefinitions',
  '^recover$': 'clearFaults',
  'may pass': 'isTransient',
}

export const retiredWords: readonly RetiredWord[] = [
  ...Object.entries(everywhere).map(([pattern, say]) => ({ pattern, say })),
  ...Object.entries(names).map(([pattern, say]) => ({ pattern, say, namesOnly: true as const })),
  // Elsewhere people have questions, and tests want something.
  {
    pattern: 'questions?|wanted',
    say: 'request, parsed query',
    namesOnly: true,
    path: /^packages\/mock-server\/src\/(service\/)?[\w-]+\.ts$/,
  },
  {
    pattern: 'questions?',
    say: 'request',
    path: /^(packages\/mock-server\/.*|docs\/(decisions\/)?)probe/,
  },
  // The throttle does have arrivals: of requests at the service.
  {
    pattern: 'arriv(e|es|ed|al|als|ing)',
    say: 'scheduled transactions',
    namesOnly: true,
    path: /^packages\/mock-server\//,
  },
]
