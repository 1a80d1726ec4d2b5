import type { ReactNode } from 'react'
import { formatDateTime } from '../../../base/text/format.ts'
import { TICKS_PER_MS, type TimeRange } from '../../../base/ticks.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { csvLine } from '../../../capture/exporting/csv.ts'
import { saveText } from '../../../capture/exporting/save-text.ts'
import { chosenKey } from '../../../capture/frame/lanes/chosen.ts'
import { itemsIn } from '../../../capture/frame/lanes/LaneTables.tsx'
import type { Composed } from '../../../capture/frame/lanes/useComposed.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../ui/controls/Button.tsx'

interface ExportLanesProps {
  readonly composed: Composed
  readonly range: TimeRange
}

const HEAD = ['Lane', 'Start (UTC)', 'Duration (ms)', 'What', 'Facts', 'Evidence']

/** All marks in view, lane by lane, as lines of CSV. The duration of an instant is empty. */
export const exportLines = ({ lanes, titleOf, readings }: Composed, range: TimeRange): readonly string[] => [
  csvLine(HEAD),
  ...lanes.flatMap((chosen) => {
    const data = readings.get(chosenKey(chosen))?.data ?? null
    const lane = titleOf(chosen)
    return data === null
      ? []
      : itemsIn(data, range)
          .toReversed()
          .map(({ startTicks, durationTicks, title, facts, evidence }) =>
            csvLine([
              lane,
              formatDateTime(startTicks, 'utc', 7),
              durationTicks > 0 ? durationTicks / TICKS_PER_MS : null,
              title,
              facts.map(([name, text]) => `${name}: ${text}`).join('; '),
              evidence.join(' '),
            ]),
          )
  }),
]

/** Saves the marks in view as they are drawn: for several in one pixel, the slowest one with their number. */
export function ExportLanes({ composed, range }: ExportLanesProps): ReactNode {
  const { attempt, failure } = useAttempt()
  const save = (): Promise<void> => {
    const lines = exportLines(composed, range)
    const expectedBytes = lines.reduce((sum, line) => sum + line.length, 0)
    return saveText(lines, { name: 'rookery-timeline.csv', mediaType: 'text/csv', expectedBytes })
  }
  return (
    <>
      <Button
        icon="export"
        title="Save the marks in view of all lanes as CSV"
        onClick={() => void attempt('Could not export', save)}
      >
        Export
      </Button>
      <AttemptFailure of={failure} />
    </>
  )
}
