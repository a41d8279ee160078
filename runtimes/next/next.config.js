import { join } from 'node:path'

export default {
  distDir: 'out',
  // The packages are links to folders of the repository.
  turbopack: { root: join(import.meta.dirname, '../..') },
}
