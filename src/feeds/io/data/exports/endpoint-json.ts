import { DURATION } from '../../../../base/columns/event-chunk.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { formatTicks, type Ticks, TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import { TickText } from '../../../../capture/exporting/tick-text.ts'
import { parseSourceId, sourceLabel, type Gap } from '../../../../capture/client/state.ts'
import type { Part } from '../responses/parts.ts'
import { FIRST_FOLDED, FOLDED_FILE, isOfFile } from '../../contract/limits.ts'
import type { IoRollUp } from '../rollups.ts'
import type { IoStore } from '../table.ts'
import type { IoFile, IoLaneTable } from '../lane-table.ts'
import { wireKind } from '../reading/wire.ts'
import type { IoExportParams } from '../../contract/exports.ts'
import { acceleration, compressedBytes, fileSizeBytes, sizeBytes } from './event-fields.ts'
import { gapsJson } from './gap-json.ts'
import { RowCursor } from './row-cursor.ts'
import { rowSteps } from './row-steps.ts'
import { TimeMerge } from './time-merge.ts'

/** A lane to export, in its state at the start of the export. */
interface LanePlan {
  readonly lane: IoLaneTable
  readonly path: string
  readonly parts: readonly Part[]
  /** Roll-ups that start in the range, by file; ascending within a kind. */
  readonly rollUps: ReadonlyMap<number, readonly { readonly kind: string; readonly rollUp: IoRollUp }[]>
  readonly files: readonly IoFile[]
}

/**
 * Writes a document like that of `debug/io-metrics`: `{Environments:[{Path, Type, Files:[{File, Status, Recent,
 * History}]}], Performances:[], Gaps:[…]}`, file by file, each in order of time. Opening it here gives the same
 * capture, and it opens in the official Studio (whose import requires `Environments`; its own export also has
 * `Performances`; `Gaps` is ours). `range` null: all times, including files without any event. `head`: first members,
 * each followed by a comma. `clean`: maps the names of environments and files to those to write.
 */
export function endpointJson(
  store: IoStore,
  parts: readonly Part[],
  { range, gaps, head = '', clean = (name) => name }: Pick<IoExportParams, 'range' | 'gaps'> & Partial<Dress>,
  out: Pieces,
): ExportSteps {
  return steps(planLanes(store, parts, range, clean), range === null, gaps, { head, clean }, out)
}

interface Dress {
  readonly head: string
  readonly clean: (name: string) => string
}

function planLanes(store: IoStore, parts: readonly Part[], range: TimeRange | null, clean: Dress['clean']): LanePlan[] {
  const byLane = new Map<IoLaneTable, Part[]>()
  for (const part of parts) {
    const lane = store.lanes.get(part.lane)
    const own = lane === undefined ? undefined : byLane.get(lane)
    if (own !== undefined) own.push(part)
    else if (lane !== undefined) byLane.set(lane, [part])
  }
  const taken = new Set<string>()
  return Array.from(byLane, ([lane, ofLane]) => ({
    lane,
    path: freePath(lane, clean(lane.path), taken),
    parts: ofLane,
    rollUps: rollUpsByFile(ofLane, range),
    files: lane.folded === null ? [...lane.files] : [...lane.files, lane.folded],
  }))
}

function rollUpsByFile(parts: readonly Part[], range: TimeRange | null): LanePlan['rollUps'] {
  const byFile = new Map<number, { kind: string; rollUp: IoRollUp }[]>()
  for (const { kind, rollUps, predicate } of parts)
    for (const rollUp of rollUps.rows) {
      if (range !== null && (rollUp.startTicks < range.startTicks || rollUp.startTicks >= range.endTicks)) continue
      if (predicate !== null && predicate.file !== -1 && !isOfFile(predicate.file, rollUp.file)) continue
      const file = rollUp.file >= FIRST_FOLDED ? FOLDED_FILE : rollUp.file
      const list = byFile.get(file)
      if (list === undefined) byFile.set(file, [{ kind, rollUp }])
      else list.push({ kind, rollUp })
    }
  return byFile
}

/**
 * Makes a path unique. The same path on two nodes of a cluster means two environments, and the document distinguishes
 * environments only by path.
 */
function freePath(lane: IoLaneTable, own: string, taken: Set<string>): string {
  const ref = parseSourceId(lane.source)
  let path = own
  for (let n = 1; taken.has(path); n++)
    path = `${own} (${ref === null ? lane.source : sourceLabel(ref)}${n === 1 ? '' : ` ${n}`})`
  taken.add(path)
  return path
}

function* steps(
  lanes: readonly LanePlan[],
  allFiles: boolean,
  gaps: readonly Gap[],
  { head, clean }: Dress,
  out: Pieces,
): ExportSteps {
  const times = new TickText()
  let rows = 0
  let laneComma = ''
  out.text(`{${head}"Environments":[`)
  for (const plan of lanes) {
    const { path, lane } = plan
    out.text(`${laneComma}{"Path":${JSON.stringify(path)},"Type":${JSON.stringify(lane.type)},"Files":[`)
    laneComma = ','
    let fileComma = ''
    for (const file of plan.files) {
      const events = fileRows(plan, file)
      const rollUps = plan.rollUps.get(file.id) ?? []
      if (!allFiles && events.top === null && rollUps.length === 0) continue
      const status = file.status === null ? '' : `,"Status":${JSON.stringify(file.status)}`
      out.text(`${fileComma}{"File":${JSON.stringify(clean(file.name))}${status},"Recent":[`)
      fileComma = ','
      let comma = ''
      const write = (row: RowCursor): void => {
        out.text(comma + eventJson(row, times))
        comma = ','
      }
      rows = yield* rowSteps(events, out, write, rows)
      out.text('],"History":[')
      comma = ''
      for (const { kind, rollUp } of rollUps) {
        out.text(comma + rollUpJson(kind, rollUp))
        comma = ','
        if (out.hasPiece) yield rows
      }
      out.text(']}')
      yield rows
    }
    out.text(']}')
  }
  const exported = lanes.map(({ lane: { id, source }, path }) => ({ id, source, path }))
  out.text(`],"Performances":[]${gapsJson(gaps, exported)}}`)
  yield rows
}

/**
 * Rows of one file in order of time. The search is limited to the time in which the file was seen: journals follow one
 * after the other.
 */
function fileRows({ parts }: LanePlan, file: IoFile): TimeMerge {
  const cursors = parts.flatMap((part, place) => {
    const span = file.spans.get(part.kind)
    if (
      span === undefined ||
      (part.predicate !== null && part.predicate.file !== -1 && part.predicate.file !== file.id)
    )
      return []
    const from = Math.max(part.from, part.events.lowerBound(span.firstTicks))
    const to = Math.min(part.to, part.events.lowerBound(span.lastTicks + 1))
    const predicate = { ...(part.predicate ?? ANY), file: file.id }
    return [new RowCursor({ ...part, predicate }, place, from, to)]
  })
  return new TimeMerge(cursors)
}

const ANY = { minTicks: 0, maxTicks: Number.POSITIVE_INFINITY, minBytes: 0, maxBytes: Number.POSITIVE_INFINITY }

/**
 * An event with the server's own keys; values that were not reported are left out. A compression has `OriginalSize`.
 */
function eventJson(row: RowCursor, times: TickText): string {
  const { kind } = row.part
  const size = sizeBytes(row)
  const fileSize = fileSizeBytes(row)
  const compressed = compressedBytes(row)
  const level = acceleration(row)
  const sizes =
    size === null
      ? '"Size":null'
      : kind !== 'Compression'
        ? `"Size":${size}`
        : compressed === null || size === 0
          ? `"OriginalSize":${size}`
          : `"OriginalSize":${size},"CompressionRatio":${compressed / size}`
  return (
    `{"Start":"${times.of(row.startTicks)}",${sizes}` +
    (fileSize === null ? '' : `,"FileSize":${fileSize}`) +
    (compressed === null ? '' : `,"CompressedSize":${compressed}`) +
    (level === null ? '' : `,"Acceleration":${level}`) +
    `,"Duration":${row.read(DURATION) / TICKS_PER_MS},"Type":${JSON.stringify(wireKind(kind))}}`
  )
}

const rollUpJson = (kind: string, row: IoRollUp): string =>
  JSON.stringify({
    Start: formatTicks(row.startTicks as Ticks),
    End: formatTicks(row.endTicks as Ticks),
    Size: row.sizeBytes,
    Duration: (row.endTicks - row.startTicks) / TICKS_PER_MS,
    ActiveDuration: row.busyTicks / TICKS_PER_MS,
    MaxDuration: row.maxTicks / TICKS_PER_MS,
    MinDuration: row.minTicks / TICKS_PER_MS,
    Type: wireKind(kind),
  })
