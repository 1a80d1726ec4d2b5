import { useState, type ReactNode } from 'react'
import { formatCount, formatPlural, formatShare } from '../../../base/text/format.ts'
import { spanFromMs, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { Ticks } from '../../../base/brand.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { PanelNotices } from '../../../capture/frame/PanelNotices.tsx'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useRequest } from '../../../capture/client/useRequest.ts'
import { useView } from '../../../capture/client/view.ts'
import { CommitField } from '../../../ui/controls/CommitField.tsx'
import { NumberField } from '../../../ui/controls/ValueFields.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { DEFAULT_RULE, STALL_LIMIT, type StallCause, type StallRow } from '../contract.ts'
import { formatRule, formatVolumes, parseRule, parseVolumes } from './params.ts'
import { StallTable } from './StallTable.tsx'
import { VerdictTable } from './VerdictTable.tsx'
import styles from './stalls.module.css'
import { describeStalls } from './words.ts'

/** Judged again at most so often while data arrive, ms. */
const EVERY_MS = 5000

/** Journal writes that took too long: how many, what the evidence says of their causes, and each of them. */
export default function StallsPanel({ panel }: PanelProps): ReactNode {
  const { version } = useCaptureState()
  const { view, change, open } = useView()
  const { sources, params } = view
  const [chosen, setChosen] = useState<StallCause | null>(null)
  const rule = parseRule(params)
  const volumesText = params['stalls.volumes'] ?? ''
  const volumes = parseVolumes(volumesText) ?? []
  const wanted = sources.length === 0 ? undefined : { sources, rule, volumes }
  const { answer, error } = useRequest('stalls.judge', wanted, { version, everyMs: EVERY_MS })
  const rows = answer === null ? [] : answer.stalls.filter(({ cause }) => chosen === null || cause === chosen)
  const worst = answer?.lanes[0]

  const setRule = (parts: Partial<typeof rule>): void => change({ params: formatRule({ ...rule, ...parts }) })
  const setVolumes = (text: string): string | null => {
    const parsed = parseVolumes(text)
    if (parsed === null) return 'Write: part of a path = name of its volume; …'
    change({ params: { 'stalls.volumes': formatVolumes(parsed) } })
    return null
  }
  /** In I/O, with some time around it. */
  const show = ({ startTicks, durationMs }: StallRow): void => {
    const span = spanFromMs(durationMs)
    const margin = Math.max(2 * span, TICKS_PER_SECOND)
    open('io', {
      range: { startTicks: (startTicks - margin) as Ticks, endTicks: (startTicks + span + margin) as Ticks },
      selection: null,
    })
  }

  return (
    <PanelFrame panel={panel} extraClass={styles.panel} notices={<PanelNotices what="I/O" />}>
      <p className={styles.sentence} role="status">
        {answer === null ? 'Looking for stalls …' : describeStalls(answer, rule)}
      </p>
      {error === null ? null : <ErrorNotice error={error} />}
      <div className={styles.tools}>
        <NumberField
          label="At least"
          unit="ms"
          value={rule.leastMs}
          min={1}
          onChange={(leastMs) => setRule({ leastMs: leastMs ?? DEFAULT_RULE.leastMs })}
        />
        <NumberField
          label="Times the median"
          value={rule.timesMedian}
          min={1}
          onChange={(timesMedian) => setRule({ timesMedian: timesMedian ?? DEFAULT_RULE.timesMedian })}
        />
        <div className={styles.wide}>
          <CommitField
            label="Volumes"
            placeholder="part of a path = volume; another = volume"
            value={volumesText}
            onCommit={setVolumes}
          />
        </div>
      </div>
      {answer === null || answer.writes === 0 ? null : (
        <>
          <p className={styles.faint}>
            {formatPlural(answer.writes, 'single journal write')} judged
            {answer.rolledUp > 0
              ? `; ${formatCount(answer.rolledUp)} more were reported only as sums, which show no cause`
              : ''}
            {answer.unknownVolumes > 0
              ? `. The volumes of ${formatPlural(answer.unknownVolumes, 'environment')} are not known: only those of one database are taken to share one`
              : ''}
            .{' '}
            {worst === undefined ? null : (
              <>
                Most stalled: <bdi>{worst.environment}</bdi>, {formatShare(worst.stalledShare)} of the time.
              </>
            )}
          </p>
          <VerdictTable judgements={answer.judgements} chosen={chosen} onChoose={setChosen} />
          {rows.length === 0 ? null : (
            <>
              {answer.total > STALL_LIMIT ? (
                <p className={styles.faint}>The longest {formatCount(STALL_LIMIT)} are listed.</p>
              ) : null}
              <StallTable
                rows={rows}
                version={`${String(answer.version)} ${chosen ?? ''} ${formatCount(rows.length)}`}
                clock={view.clock}
                onOpen={show}
              />
            </>
          )}
        </>
      )}
    </PanelFrame>
  )
}
