import { inBrowser, type Theme } from 'vitepress'
import theme from 'vitepress/theme'
import { listen } from '../../playground/index.ts'
import './style.css'

export default {
  extends: theme,
  enhanceApp() {
    if (inBrowser) listen()
  },
} satisfies Theme
