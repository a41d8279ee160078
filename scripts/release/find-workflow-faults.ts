interface Job {
  readonly name: string
  readonly text: string
}

/** The jobs of a workflow, by its indentation. */
const jobsOf = (workflow: string): Job[] => {
  const [, jobs = ''] = workflow.split(/^jobs:\n/m)
  return jobs
    .split(/^(?= {2}[\w-]+:\n)/m)
    .map((text) => ({ name: /^ {2}([\w-]+):/.exec(text)?.[1] ?? '', text }))
    .filter(({ name }) => name !== '')
}

const isPinned = (action: string) => /^[\w./-]+@[\da-f]{40}$/.test(action)

/** Whether a job runs code of this repository or of its dependencies. */
const runsOurCode = (text: string) =>
  /actions\/checkout@|\b(?:pnpm|npx) (?!view)|npm (?:ci|install|run|test)\b/.test(text)

const faultsOfJob = ({ name, text }: Job, hasDefault: boolean): string[] => {
  const mayPublish = /^ +id-token: write/m.test(text)
  return [
    ...(hasDefault || /^ {4}permissions:/m.test(text) ? [] : [`job ${name}: give it permissions`]),
    ...(mayPublish && runsOurCode(text)
      ? [`job ${name}: it may publish, so it must run no code of this repository`]
      : []),
    ...(mayPublish && !/^ {4}environment:/m.test(text)
      ? [`job ${name}: it may publish, so it needs an environment`]
      : []),
    ...(/npm publish/.test(text) && !mayPublish ? [`job ${name}: it publishes without the right to provenance`] : []),
    ...(/npm publish(?!.*--provenance)/.test(text) ? [`job ${name}: publish with --provenance`] : []),
    ...(/npm publish/.test(text) && !text.includes('dist.attestations')
      ? [`job ${name}: check the provenance on npm`]
      : []),
  ]
}

/** What makes a workflow of GitHub Actions unsafe: actions that can change, rights that are too many, no provenance. */
export const findWorkflowFaults = (workflow: string): string[] => {
  const actions = [...workflow.matchAll(/^ *(?:- )?uses: (\S+)/gm)].map(([, action = '']) => action)
  const [, rights] = /^permissions:(.*(?:\n +.*)*)/m.exec(workflow) ?? []
  const isReadOnly = rights !== undefined && !rights.includes('write')
  return [
    ...actions.filter((action) => !isPinned(action)).map((action) => `pin ${action} by the SHA of a commit`),
    ...(rights === undefined ? ['set permissions for the whole workflow'] : []),
    ...(rights !== undefined && !isReadOnly ? ['give write permissions to single jobs only'] : []),
    ...(/\b(?:npm install (?:-g|--global)|npx -y) /.test(workflow)
      ? ['install tools with the hashes of a lockfile']
      : []),
    ...jobsOf(workflow).flatMap((job) => faultsOfJob(job, rights?.includes('read') ?? false)),
  ]
}
