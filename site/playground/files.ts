/** The part of `node:fs/promises` with which the guides store a checkpoint. The page keeps the files until it is left. */

type Path = string | URL

const nameOf = (path: Path): string => new URL(path, 'file:///').pathname.slice(1)

/** Creates the module. `onChange` gets the new text of a file, or undefined when it is gone. */
export const createFiles = (
  initial: Readonly<Record<string, string>>,
  onChange: (name: string, text: string | undefined) => void,
) => {
  const files = new Map(Object.entries(initial))
  const textOf = (path: Path): string => {
    const text = files.get(nameOf(path))
    if (text !== undefined) return text
    throw Object.assign(new Error(`ENOENT: no such file or directory, open '${nameOf(path)}'`), { code: 'ENOENT' })
  }
  const set = (path: Path, text: string) => {
    files.set(nameOf(path), text)
    onChange(nameOf(path), text)
  }
  return {
    readFile: async (path: Path) => textOf(path),
    writeFile: async (path: Path, text: string) => set(path, text),
    async rename(from: Path, to: Path) {
      set(to, textOf(from))
      files.delete(nameOf(from))
      onChange(nameOf(from), undefined)
    },
  }
}
