const shownForMs = 2000

/** Lets a button copy what an element says at that moment, and say so. */
export const copyOnClick = (button: HTMLButtonElement, from: () => Element): void => {
  const label = button.textContent
  button.addEventListener('click', async () => {
    const source = from()
    try {
      await navigator.clipboard.writeText(source.textContent)
      button.textContent = 'Copied'
    } catch {
      // Without https or loopback there is no clipboard, but what is selected can be copied by hand.
      getSelection()?.selectAllChildren(source)
      button.textContent = 'Selected: copy it'
    }
    setTimeout(() => (button.textContent = label), shownForMs)
  })
}
