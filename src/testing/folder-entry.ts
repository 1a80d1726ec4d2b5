/** Folder as a browser hands it over, with files at these paths. `texts`: contents of those at its top. */
export function folderEntry(
  name: string,
  paths: readonly string[],
  texts: Readonly<Record<string, string>> = {},
): FileSystemDirectoryEntry {
  const children = new Map<string, string[]>()
  for (const path of paths) {
    const [first = '', ...rest] = path.split('/')
    children.set(first, [...(children.get(first) ?? []), ...(rest.length === 0 ? [] : [rest.join('/')])])
  }
  const entries = [...children].map(([child, below]) =>
    below.length > 0
      ? folderEntry(child, below)
      : {
          name: child,
          isDirectory: false,
          file: (done: (file: File) => void) => done(new File([texts[child] ?? ''], child)),
        },
  )
  return {
    name,
    isDirectory: true,
    createReader: () => ({ readEntries: (done: (all: unknown[]) => void) => done(entries.splice(0)) }),
  } as unknown as FileSystemDirectoryEntry
}
