/** Makes the Run buttons of all pages work. The playground itself is loaded with the first click. */
import './style.css'

export const listenForRuns = (): void => {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('.playground .run')
    const playground = button && button.closest<HTMLElement>('.playground')
    if (!playground) return
    import('./panel.ts').then(
      ({ toggle }) => toggle(playground),
      () => (playground.querySelector('.result')!.textContent = 'The playground could not be loaded. Are you offline?'),
    )
  })
}
