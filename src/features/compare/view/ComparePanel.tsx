import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND, ticksFromMs, type TimeRange } from '../../../base/ticks.ts'
import {
  formatSides,
  parseSide,
  SIDES,
  unknownSpans,
  type CompareSide,
  type SideName,
} from '../../../capture/client/compare-sides.ts'
import { isFileSource, parseSourceId, sourceLabel, type CaptureState } from '../../../capture/client/state.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { BY_CLICK_MS, useRequest, type Requested } from '../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import { useView } from '../../../capture/client/view.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { COMPARED_FEEDS, type ComparedFeed, type CompareSideParams, type SideFigures } from '../contract.ts'
import { compareSides } from '../data/compare-sides.ts'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import report from '../../../ui/report.module.css'
import styles from './compare.module.css'
import { Choice, SIDE_TITLES, sourceName } from './Choice.tsx'
import { LineTable } from './LineTable.tsx'
import { runLogOfPage } from './runs/run-log.ts'
import { RunRegister } from './runs/RunRegister.tsx'
import { isOfServer, runOfSource, sourceOfRun, type Run } from './runs/runs.ts'
import { SaveRun } from './runs/SaveRun.tsx'
import { SideFields, type SourceOption } from './SideFields.tsx'
import { describeBasis, describeCompared, describeLoad } from './words.ts'
import type {} from '../../../feeds/indexing/contract.ts'
import type {} from '../../../feeds/server/contract.ts'

/** Minimum interval of measurements while data arrives, ms. */
const EVERY_MS = 30_000

const FEED_TITLES: Readonly<Record<ComparedFeed, string>> = { io: 'I/O', indexing: 'Indexing', server: 'Server' }

/**
 * Verdict on whether after is slower than before, by how much at least, and what this amount of data could have shown;
 * with a table of lines.
 */
export default function ComparePanel({ panel }: PanelProps): ReactNode {
  const state = useCaptureState()
  const { view, change } = useView()
  const { params, clock } = view
  const feed = COMPARED_FEEDS.find((each) => each === params['compare.of']) ?? 'io'
  const live = view.sources.filter((id) => parseSourceId(id)?.kind === 'database')
  // Some feeds record only on request, so the compared one is requested meanwhile.
  useWanted('indexing.want', feed === 'indexing' && live.length > 0 ? { sources: live, budgets: false } : undefined)
  useWanted('server.want', feed === 'server' ? null : undefined)
  const log = runLogOfPage()
  const { runs, isStored } = useSyncExternalStore(log.subscribe, log.getSnapshot)
  const [saved, setSaved] = useState<SideName | null>(null)
  const before = parseSide(params, 'before')
  const after = parseSide(params, 'after')
  const requested = { before: requestOf(state, feed, before), after: requestOf(state, feed, after) }
  const renewal = { version: state.version, everyMs: EVERY_MS, changedEveryMs: BY_CLICK_MS }
  const was = useRequest('compare.side', requested.before, renewal)
  const is = useRequest('compare.side', requested.after, renewal)
  const figures: Readonly<Record<SideName, SideFigures | null>> = {
    before: figuresOf(runs, feed, before) ?? responseOf(was, requested.before, before),
    after: figuresOf(runs, feed, after) ?? responseOf(is, requested.after, after),
  }
  const compared =
    figures.before === null || figures.after === null ? null : compareSides(figures.before, figures.after)
  const error = was.error ?? is.error

  const set = (sides: Partial<Record<SideName, CompareSide | null>>): void => change({ params: formatSides(sides) })
  const halves = halvesOf(view.range ?? knownRange(state))
  const options = [
    ...(feed === 'server'
      ? [{ value: 'server', text: 'Server' }]
      : state.sources.map(({ id, ref }): SourceOption => ({ value: id, text: sourceLabel(ref) }))),
    ...runs
      .filter((run) => run.figures.feed === feed)
      .map((run): SourceOption => ({ value: sourceOfRun(run.id), text: `Run: ${run.name}` })),
  ]
  const load = compared === null ? '' : describeLoad(compared.lines)
  const basis = compared === null ? '' : describeBasis(compared)
  const left = (figures.before?.left ?? 0) + (figures.after?.left ?? 0)

  return (
    <PanelFrame panel={panel} extraClass={report.panel} notices={<PanelNotices what={FEED_TITLES[feed]} />}>
      {before === null || after === null ? (
        <Choice
          chosen={before === null ? (after === null ? null : 'after') : 'before'}
          sources={view.sources}
          sides={{ before, after }}
          options={options}
          halves={halves}
          onChoose={set}
        />
      ) : (
        <>
          <PanelSentence>
            {compared === null ? waitingWords(runs, feed, [before, after]) : describeCompared(compared)}
            {compared?.lines.length === 0 && feed === 'indexing' && live.length > 0
              ? ' Index batches are recorded while Indexing is in front, and here from now on.'
              : ''}
          </PanelSentence>
          {load === '' ? null : <Notice tone="warn" title={load} />}
          {error === null ? null : <ErrorNotice error={error} />}
          <div className={report.tools}>
            <Segmented
              label="Compared"
              options={COMPARED_FEEDS.map((value) => ({ value, text: FEED_TITLES[value] }))}
              value={feed}
              onChange={(value) => change({ params: { 'compare.of': value === 'io' ? '' : value } })}
            />
            <Button onClick={() => set({ before: after, after: before })} title="Exchange before and after">
              Swap
            </Button>
            <Button onClick={() => set({ before: null, after: null })}>Clear</Button>
          </div>
          <div className={styles.sides}>
            {SIDES.map((name) => {
              const side = name === 'before' ? before : after
              return (
                <SideFields
                  key={name}
                  title={SIDE_TITLES[name]}
                  side={side}
                  range={figures[name] ?? requested[name] ?? null}
                  run={runs.find(({ id }) => id === runOfSource(side.sources[0])) ?? null}
                  onSave={figures[name] === null ? null : () => setSaved(name)}
                  options={options}
                  sourcesWords={sourcesWords(side.sources, feed)}
                  clock={clock}
                  viewRange={view.range}
                  onChange={(next) => set({ [name]: next })}
                />
              )
            })}
          </div>
          {compared === null ? (
            error === null ? (
              <Spinner>Comparing …</Spinner>
            ) : null
          ) : compared.lines.length === 0 ? null : (
            <>
              <LineTable lines={compared.lines} isOfServer={feed === 'server'} />
              <p className="faint">
                After against before, with 95 % intervals from blocks of time. A verdict allows for all figures that are
                tested together: where nothing changed, 94 of 100 comparisons say so. Stalls are counted as they were in
                these ranges. {left === 0 ? '' : `${formatPlural(left, 'line')} with fewer events are not listed. `}
                {basis}
              </p>
            </>
          )}
        </>
      )}
      <RunRegister
        log={log}
        runs={runs}
        isStored={isStored}
        clock={clock}
        onTake={(run, side) =>
          change({
            params: {
              ...formatSides({ [side]: { sources: [sourceOfRun(run.id)], range: null } }),
              'compare.of': run.figures.feed === 'io' ? '' : run.figures.feed,
            },
          })
        }
      />
      {saved === null || figures[saved] === null ? null : (
        <SaveRun
          figures={figures[saved]}
          from={originWords(state, (saved === 'before' ? before : after)?.sources ?? [])}
          canRead={state.server !== null && isOfServer((saved === 'before' ? before : after)?.sources ?? [])}
          onSave={(run) => log.put([run])}
          onClose={() => setSaved(null)}
        />
      )}
    </PanelFrame>
  )
}

/** Why there is no comparison yet. */
function waitingWords(runs: readonly Run[], feed: ComparedFeed, sides: readonly CompareSide[]): string {
  const missing = sides.some((side) => runOfSource(side.sources[0]) !== null && figuresOf(runs, feed, side) === null)
  return missing
    ? `This browser has no such run of ${FEED_TITLES[feed]}. Choose another source, or import it.`
    : 'Comparing …'
}

/** Figures of a side that is a stored run of this feed; null otherwise. */
function figuresOf(runs: readonly Run[], feed: ComparedFeed, side: CompareSide | null): SideFigures | null {
  const id = runOfSource(side?.sources[0])
  return runs.find((run) => run.id === id && run.figures.feed === feed)?.figures ?? null
}

/**
 * Figures for a side from a response; null: none. The range of live sources grows all the time: a response is used
 * until the next one.
 */
function responseOf(
  { response, params }: Requested<'compare.side'>,
  requested: CompareSideParams | undefined,
  side: CompareSide | null,
): SideFigures | null {
  if (params === null || requested === undefined || side === null) return null
  const grows = side.range === null && !side.sources.every(isFileSource)
  const isOfSide =
    params.feed === requested.feed &&
    params.sources.join(' ') === requested.sources.join(' ') &&
    params.startTicks === requested.startTicks &&
    (grows || params.endTicks === requested.endTicks)
  return isOfSide ? response : null
}

/** `Orders, RavenDB 7.1.5`. */
const originWords = ({ sources, server }: CaptureState, ids: readonly string[]): string =>
  [
    ...sources.filter(({ id }) => ids.includes(id)).map(({ ref }) => sourceLabel(ref)),
    server === null || !isOfServer(ids) ? '' : `RavenDB ${server.fullVersion}`,
  ]
    .filter((part) => part !== '')
    .join(', ')

/** `Orders, Users`. For a live database the whole server is compared. */
function sourcesWords(sources: readonly string[], feed: ComparedFeed): string {
  const names = sources.map((id) => (feed === 'server' && !isFileSource(id) ? 'Server' : sourceName(id)))
  return [...new Set(names)].join(', ')
}

function knownRange({ extent, nowTicks }: CaptureState): TimeRange | null {
  return extent === null ? null : { startTicks: extent.startTicks, endTicks: nowTicks ?? extent.endTicks }
}

function halvesOf(range: TimeRange | null): readonly [TimeRange, TimeRange] | null {
  if (range === null) return null
  const middle = Math.floor((range.startTicks + range.endTicks) / 2) as Ticks
  return [
    { startTicks: range.startTicks, endTicks: middle },
    { startTicks: middle, endTicks: range.endTicks },
  ]
}

/** Steps by which the end of a growing range moves: maximum length, and share of the range. */
const STEPS = { mostTicks: 30 * TICKS_PER_SECOND, part: 1 / 16 }

/** Moves the end of a range in steps, so that it can be measured in between. */
function steady(range: TimeRange | null): TimeRange | null {
  if (range === null) return null
  const { startTicks, endTicks } = range
  const most = Math.min(STEPS.mostTicks, STEPS.part * (endTicks - startTicks))
  const step = 2 ** Math.floor(Math.log2(Math.max(1, most)))
  return { startTicks, endTicks: (Math.floor(endTicks / step) * step) as Ticks }
}

/** All data of files; of live sources up to about now. Null: no data. */
function wholeOf(state: CaptureState, feed: ComparedFeed, sources: readonly string[]): TimeRange | null {
  if (!sources.every(isFileSource)) return steady(knownRange(state))
  const spans = state.sources.filter(({ id }) => sources.includes(id)).flatMap((source) => source.spans)
  const own = spans.filter((span) => span.feed === feed)
  if (own.length === 0) return null
  return {
    startTicks: ticksFromMs(Math.floor(Math.min(...own.map(({ firstMs }) => firstMs)))),
    endTicks: ticksFromMs(Math.ceil(Math.max(...own.map(({ endMs }) => endMs))) + 1),
  }
}

/** Parameters of a side; undefined: nothing to request. */
function requestOf(state: CaptureState, feed: ComparedFeed, side: CompareSide | null): CompareSideParams | undefined {
  const range = side === null ? null : (side.range ?? wholeOf(state, feed, side.sources))
  if (side === null || range === null || runOfSource(side.sources[0]) !== null) return undefined
  const unknown = unknownSpans(state.gaps, side.sources, range)
  return { feed, sources: side.sources, lane: null, ...range, unknown }
}
