/** Makes the buttons of all playgrounds work. The playground itself is loaded with the first click on Run. */
import './style.css'

/** The code of snippets that a reader has changed, as it was. */
const originals = new WeakMap<Element, string>()

/** What the target of an event is part of. */
const partOf = (target: EventTarget | null, selector: string): Element | null =>
  target instanceof Element ? target.closest(`.playground ${selector}`) : null

const listenForChanges = () => {
  document.addEventListener('beforeinput', ({ target }) => {
    const code = partOf(target, 'code')
    if (!code || originals.has(code)) return
    originals.set(code, code.innerHTML)
    code.closest('.playground')!.classList.add('edited')
  })
  document.addEventListener('click', ({ target }) => {
    const playground = partOf(target, '.reset')?.closest('.playground')
    const code = playground?.querySelector('code')
    if (!playground || !code) return
    code.innerHTML = originals.get(code)!
    originals.delete(code)
    playground.classList.remove('edited')
  })
  // The result is that of another behaviour.
  document.addEventListener('change', ({ target }) => {
    const result = partOf(target, 'select')?.closest('.playground')?.querySelector('.result')
    if (result?.querySelector('.finished, .failed, .stopped')) result.replaceChildren()
  })
}

const listenForRuns = () => {
  document.addEventListener('click', ({ target }) => {
    const playground = partOf(target, '.run')?.closest<HTMLElement>('.playground')
    if (!playground) return
    import('./panel.ts').then(
      ({ toggle }) => toggle(playground),
      () => (playground.querySelector('.result')!.textContent = 'The playground could not be loaded. Are you offline?'),
    )
  })
}

export const listen = (): void => {
  listenForChanges()
  listenForRuns()
}
