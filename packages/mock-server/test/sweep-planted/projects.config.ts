import { defineConfig } from 'vitest/config'

const projects = ['one', 'two'].map((name) => ({ extends: './vitest.config.ts', test: { name } }))

/** Two projects that run the same files. */
export default defineConfig({ test: { projects } })
