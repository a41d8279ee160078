import type { ProbeReport } from '../probe/index.ts'

/** How the command line calls the options of a probe. */
const flagOf: Readonly<Record<string, string>> = {
  apiKey: '--api-key-env',
  baseUrl: '--base-url',
  maxRequests: '--max-requests',
  maxTransactions: '--max-transactions',
  requestsPerSecond: '--rps',
  burst: '--burst',
  'keys.expired': '--expired-key-env',
  'keys.unscoped': '--unscoped-key-env',
  'keys.lapsed': '--lapsed-key-env',
  'keys.sameGuild': '--same-guild-key-env',
  'keys.otherGuild': '--other-guild-key-env',
}

/** A sentence about an option, with the name that the command line has for it. */
export const withFlags = (text: string): string =>
  text
    // The command line has no such option.
    .replace(/ On a private network, set allowInsecureHttp\.$/, '')
    .replaceAll(/(?:option )?`([\w.]+)`/g, (code, name: string) => {
      const flag = flagOf[name]
      return flag === undefined ? code : `\`${flag}\``
    })
    .replaceAll(/\bbaseUrl\b/g, '`--base-url`')

/** A report that says what is needed with the names of the command line. */
export const reportWithFlags = (report: ProbeReport): ProbeReport => ({
  ...report,
  findings: report.findings.map((finding) =>
    finding.needs === undefined ? finding : { ...finding, needs: withFlags(finding.needs) },
  ),
})
