/** Adds the Run button to the snippets of the guides that run in a page. */
import { runsInPage } from '../../scripts/snippets.ts'
import { scenarios } from './scenarios.ts'

type Fence = (tokens: { info: string; content: string }[], index: number, ...rest: never[]) => string

const optionsFor = (code: string): string =>
  Object.entries(scenarios)
    .filter(([, scenario]) => scenario.for?.test(code) ?? true)
    .map(([name, { label }]) => `<option value="${name}">${label}</option>`)
    .join('')

const controlsFor = (code: string): string =>
  '<div class="controls"><button class="run" type="button">Run</button>' +
  `<label>Service behaviour <select>${optionsFor(code)}</select></label>` +
  '<span class="changed"><button class="reset" type="button">Reset</button> Types are not checked.</span>' +
  '</div><div class="result"></div>'

const editable =
  '<code contenteditable="plaintext-only" spellcheck="false" role="textbox" aria-multiline="true" aria-label="Code of the snippet">'

/** Makes the code of a block editable. */
const withEditor = (html: string): string =>
  html.replace('<code>', editable).replace('<span class="lang">ts</span>', '<span class="lang">ts, editable</span>')

/** Wraps the code blocks of such snippets, and adds the controls below. */
export const withPlayground =
  (fence: Fence): Fence =>
  (tokens, index, ...rest) => {
    const html = fence(tokens, index, ...rest)
    const { info = '', content = '' } = tokens[index] ?? {}
    return info === 'ts' && runsInPage(content)
      ? `<div class="playground">${withEditor(html)}${controlsFor(content)}</div>`
      : html
  }

/** For the index of the search. */
export const withoutControls = (html: string): string =>
  html.replaceAll(/<div class="controls">.*?<div class="result"><\/div>/gs, '')
