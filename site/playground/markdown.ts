/** Adds the Run button to the snippets of the guides that run in a page. */
import { runsInPage } from '../../scripts/snippets.ts'
import { scenarios } from './scenarios.ts'

type Fence = (tokens: { info: string; content: string }[], index: number, ...rest: never[]) => string

const options = Object.entries(scenarios)
  .map(([name, { label }]) => `<option value="${name}">${label}</option>`)
  .join('')
const controls = `<div class="controls"><button class="run" type="button">Run</button><label>What if <select>${options}</select></label></div><div class="result"></div>`

/** Wraps the code blocks of such snippets, and adds the controls below. */
export const withPlayground =
  (fence: Fence): Fence =>
  (tokens, index, ...rest) => {
    const html = fence(tokens, index, ...rest)
    const { info = '', content = '' } = tokens[index] ?? {}
    return info === 'ts' && runsInPage(content) ? `<div class="playground">${html}${controls}</div>` : html
  }

/** For the index of the search. */
export const withoutControls = (html: string): string => html.replaceAll(controls, '')
