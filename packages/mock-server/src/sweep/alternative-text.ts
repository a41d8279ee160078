import { formatAssumptions, type Alternative } from '../assumptions/index.ts'

/** An alternative as people write it, such as `pageUnit=group`. */
export const textOf = ({ key, value }: Alternative): string => formatAssumptions({ [key]: value })
