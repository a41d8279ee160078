/** The reference of all exports of the packages, made from the doc comments in their sources. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)

/** The source files of all entries in the manifest of a package. */
const entriesOf = (name) => {
  const folder = new URL(`packages/${name}/`, root)
  const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  return Object.values(exports)
    .map((entry) => entry['@guild-ledger/source'])
    .filter((source) => source !== undefined)
    .map((source) => fileURLToPath(new URL(source.default ?? source, folder)))
}

export default {
  plugin: ['typedoc-plugin-missing-exports', 'typedoc-plugin-markdown', './reference.plugin.js'],
  entryPoints: ['sdk', 'mock-server'].flatMap(entriesOf),
  tsconfig: 'tsconfig.reference.json',
  out: 'out/reference',
  readme: 'none',

  // Exports without a doc comment and dead links are errors.
  validation: { notExported: true, invalidLink: true, invalidPath: true, notDocumented: true, rewrittenLink: true },
  packagesRequiringDocumentation: ['@guild-ledger/sdk', '@guild-ledger/mock-server'],
  treatWarningsAsErrors: true,

  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  preservedTypeAnnotationTags: ['@throws'],
  internalModule: 'not-exported',
  sort: ['source-order'],
  groupOrder: ['Classes', 'Functions', 'Interfaces', 'Type Aliases', 'Variables', 'Errors', '*'],

  outputFileStrategy: 'modules',
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  expandObjects: false,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  indexFormat: 'table',
  tableColumnSettings: {
    hideDefaults: true,
    hideInherited: true,
    hideModifiers: true,
    hideOverrides: true,
    hideSources: true,
  },
  excludeScopesInPaths: true,
  modulesFileName: 'index',
}
