/** What the checks of packages read of a `package.json`. */
export interface Manifest {
  name: string
  private?: boolean
  files?: string[]
  repository?: { url?: string }
  publishConfig?: { access?: string; provenance?: boolean }
}

/**
 * Why a release of a package would lack provenance. npm compares `repository` with the repository that publishes, which is
 * given for a release, such as `owner/name`, and undefined for a check before.
 */
export const findManifestFaults = (
  { name, publishConfig, repository }: Manifest,
  publishedFrom: string | undefined,
): string[] => {
  const url = `git+https://github.com/${publishedFrom}.git`
  return [
    ...(publishConfig?.access === 'public' ? [] : [`${name}: set publishConfig.access to "public"`]),
    ...(publishConfig?.provenance === true ? [] : [`${name}: set publishConfig.provenance to true`]),
    ...(publishedFrom === undefined || repository?.url === url
      ? []
      : [`${name}: set repository.url to "${url}", got ${JSON.stringify(repository?.url)}`]),
  ]
}
