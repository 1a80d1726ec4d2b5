import { parseSourceId, type CaptureState, type SourceId } from '../client/state.ts'

/**
 * Names of files in the view that are not open, as in a link from another page; for a package its own name. Empty while
 * files are being read, since these may be the missing ones.
 */
export function missingFiles(state: CaptureState, sources: readonly SourceId[]): readonly string[] {
  if (state.files.some(({ phase }) => phase === 'listing' || phase === 'reading')) return []
  const known = new Set(state.sources.map(({ id }) => id))
  const names = sources.flatMap((id) => {
    const ref = parseSourceId(id)
    return ref?.kind !== 'file' || known.has(id) ? [] : [ref.name.split('/')[0] ?? ref.name]
  })
  const open = new Set(state.files.map(({ name }) => name))
  return [...new Set(names)].filter((name) => !open.has(name))
}

/** Whether all chosen sources are missing files, so that there is nothing to wait for. */
export const isAllMissing = (state: CaptureState, sources: readonly SourceId[]): boolean =>
  missingFiles(state, sources).length > 0 &&
  sources.every((id) => parseSourceId(id)?.kind === 'file' && !state.sources.some((source) => source.id === id))
