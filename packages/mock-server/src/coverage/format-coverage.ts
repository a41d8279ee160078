import { documentedErrors, endpoints, paths } from '@guild-ledger/sdk/contract'
import { formatQuestions } from '../assumptions/alternatives.ts'
import type { Coverage, Covered } from './coverage.ts'

export type CoverageKind = 'endpoints' | 'parameters' | 'errors' | 'assumptions'

const kinds: readonly CoverageKind[] = ['endpoints', 'parameters', 'errors', 'assumptions']

/** Per cent, rounded down, so that 100 means all. */
export const percentOf = ({ covered, uncovered }: Covered): number =>
  Math.floor((100 * covered.length) / (covered.length + uncovered.length))

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [`${heading}:`, ...lines.map((one) => `  ${one}`)] : []

/** `guild: page, limit`: a line for each endpoint. */
const byEndpoint = (names: readonly string[]): string[] =>
  endpoints.flatMap((endpoint) => {
    const own = names.filter((name) => name.startsWith(`${endpoint}?`)).map((name) => name.slice(endpoint.length + 1))
    return own.length > 0 ? [`${endpoint}: ${own.join(', ')}`] : []
  })

/** The coverage as lines, and what is not covered in the words of the spec. */
export const formatCoverage = (coverage: Coverage): string => {
  const { errors, parameters, assumptions, unusedFaults } = coverage
  const shareOf = (kind: CoverageKind): string => {
    const { covered, uncovered } = coverage[kind]
    return `${kind.padEnd(11)}  ${covered.length} of ${covered.length + uncovered.length} (${percentOf(coverage[kind])} %)`
  }
  const missingErrors = Object.values(documentedErrors).filter(({ code }) => errors.uncovered.includes(code))
  return [
    ...section('Coverage of the Guild Ledger mocks', kinds.map(shareOf)),
    ...section(
      'Endpoints that no test requested',
      coverage.endpoints.uncovered.map((endpoint) => `GET ${paths[endpoint]}`),
    ),
    ...section('Parameters that no test sent', byEndpoint(parameters.uncovered)),
    ...section(
      'Documented errors that no test received',
      missingErrors.map(({ status, message }) => `${status} ${message}`),
    ),
    ...section('Assumptions that no response depended on, quoting the spec', formatQuestions(assumptions.uncovered)),
    ...section(
      'Faults that never happened',
      unusedFaults.map((fault) => JSON.stringify(fault)),
    ),
  ].join('\n')
}
