import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lines of servers whose responses are recorded; `recorded/README.md` says where each came from. */
export const RECORDED_LINES = ['7.1', '6.2', '5.4'] as const
export type RecordedLine = (typeof RECORDED_LINES)[number]

/** Text of a recording, e.g. `recordedText('7.1', 'io-metrics.json')`. */
export const recordedText = (line: RecordedLine, name: string): string =>
  readFileSync(join(import.meta.dirname, 'recorded', line, name), 'utf8')

export const recordedJson = (line: RecordedLine, name: string): unknown => JSON.parse(recordedText(line, name))

/** Frames of a recorded socket, heartbeats left out. */
export const recordedFrames = (line: RecordedLine, name: string): string[] =>
  recordedText(line, name)
    .split('\n')
    .filter((frame) => frame.trim() !== '')

/** The newest frame of each widget of the recorded dashboard: what the server reports of one moment. */
export const newestFrames = (line: RecordedLine): { Data: { Type: string; Date: string } }[] => {
  const frames = recordedFrames(line, 'cluster-dashboard-watch.ndjson').map(
    (text) => JSON.parse(text) as { Data: { Type: string; Date: string } },
  )
  return frames.filter((frame, at) => frames.findLastIndex(({ Data }) => Data.Type === frame.Data.Type) === at)
}
