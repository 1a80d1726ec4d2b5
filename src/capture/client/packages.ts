import type { CaptureState, FileState, SourceId } from './state.ts'

/** Whether a source belongs to a package, which has one for each of its folders. */
const isOf = (source: SourceId, { name }: FileState): boolean => source.startsWith(`file:${name}/`)

/**
 * Name of the debug package whose servers the panels of a server show: the first chosen one, or without a live server
 * the newest open one. Null: they show the live server.
 */
export function shownPackage(
  { files, server, serverError }: CaptureState,
  sources: readonly SourceId[],
): string | null {
  const packages = files.filter(({ servers }) => servers > 0)
  if (packages.length === 0) return null
  const chosen = packages.find((file) => sources.some((source) => isOf(source, file)))
  if (chosen !== undefined) return chosen.name
  return server === null && serverError !== null ? (packages.at(-1)?.name ?? null) : null
}

/** Whether a package has files of a recording, which is opened hour by hour as packages. */
export const isRecording = ({ entries }: FileState): boolean =>
  entries.some(({ path }) => path.endsWith('.parquet') || path.endsWith('.journal'))

/**
 * Name of the recording whose servers the panels of a server show, chosen as in {@link shownPackage}. Null: they show
 * the live server.
 */
export function shownRecording(
  { files, server, serverError }: CaptureState,
  sources: readonly SourceId[],
): string | null {
  const recordings = files.filter(isRecording)
  if (recordings.length === 0) return null
  const chosen = recordings.find((file) => sources.some((source) => isOf(source, file)))
  if (chosen !== undefined) return chosen.name
  return server === null && serverError !== null ? (recordings.at(-1)?.name ?? null) : null
}

/** Whether a file has rows of one of the feeds that a panel shows, among the entries of a package. */
export const hasFeedOf = ({ files }: CaptureState, name: string, feeds: readonly string[]): boolean =>
  files.some(
    (file) =>
      file.name === name &&
      file.entries.some(({ feed, otherFeeds = [] }) =>
        [feed, ...otherFeeds].some((each) => feeds.includes(each ?? '')),
      ),
  )

/** The sources without those of the package, so that the live server is shown. */
export const withoutPackage = (sources: readonly SourceId[], name: string): SourceId[] =>
  sources.filter((source) => !source.startsWith(`file:${name}/`))

/** The sources with another package in place of the shown one. */
export function withOtherPackage(sources: readonly SourceId[], shown: string, other: FileState): SourceId[] {
  const left = withoutPackage(sources, shown)
  return left.some((source) => isOf(source, other)) ? left : [...left, ...other.sources]
}
