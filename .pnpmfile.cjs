/** Leaves out of published manifests what only this repository needs, a private package among it. */
module.exports = {
  hooks: {
    beforePacking(manifest) {
      delete manifest.devDependencies
      return manifest
    },
  },
}
