const feedbackMs = 2000

/** Makes a button copy the current text of an element, and confirm it in its label. */
export const copyOnClick = (button: HTMLButtonElement, source: () => Element): void => {
  const label = button.textContent
  button.addEventListener('click', async () => {
    const from = source()
    try {
      await navigator.clipboard.writeText(from.textContent)
      button.textContent = 'Copied'
    } catch {
      // There is no clipboard without https or loopback. A selection can be copied by hand.
      getSelection()?.selectAllChildren(from)
      button.textContent = 'Selected: press Ctrl+C'
    }
    setTimeout(() => (button.textContent = label), feedbackMs)
  })
}
