import { inBrowser, type Theme } from 'vitepress'
import theme from 'vitepress/theme'
import { listenForRuns } from '../../playground/index.ts'
import './style.css'

export default {
  extends: theme,
  enhanceApp() {
    if (inBrowser) listenForRuns()
  },
} satisfies Theme
