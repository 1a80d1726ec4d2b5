import { csvCell, csvLine } from '../../../../capture/exporting/csv.ts'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import { TickText } from '../../../../capture/exporting/tick-text.ts'
import type { LaneNames } from '../responses/lane-names.ts'
import type { Part } from '../responses/parts.ts'
import type { IoStore } from '../table.ts'
import {
  acceleration,
  compressedBytes,
  durationMs,
  EVENT_FIELDS,
  fileSizeBytes,
  PlaceCache,
  sizeBytes,
} from './event-fields.ts'
import { textSteps } from './row-steps.ts'

/** CSV by RFC 4180, with units in the header, safe against formula injection (`csv.ts`). */
export function csvEvents(store: IoStore, names: LaneNames, parts: readonly Part[], out: Pieces): ExportSteps {
  const times = new TickText()
  const places = new PlaceCache(store, names, (place) => place.map(csvCell).join(','))
  return textSteps(parts, out, {
    head: csvLine(EVENT_FIELDS),
    row: (row) =>
      `${times.of(row.startTicks)},${durationMs(row)},${sizeBytes(row) ?? ''},${places.of(row)},` +
      `${fileSizeBytes(row) ?? ''},${compressedBytes(row) ?? ''},${acceleration(row) ?? ''}\r\n`,
    tail: '',
  })
}

const [START, MS, SIZE, KIND, ENVIRONMENT, TYPE, PATH, FILE, SOURCE, FILE_SIZE, COMPRESSED, ACCELERATION] = EVENT_FIELDS

/** NDJSON: a JSON object per line, with every field in every line; null: not reported. */
export function ndjsonEvents(store: IoStore, names: LaneNames, parts: readonly Part[], out: Pieces): ExportSteps {
  const times = new TickText()
  const places = new PlaceCache(store, names, ([kind, environment, type, path, file, source]) =>
    JSON.stringify({
      [KIND]: kind,
      [ENVIRONMENT]: environment,
      [TYPE]: type,
      [PATH]: path,
      [FILE]: file,
      [SOURCE]: source,
    }).slice(1, -1),
  )
  return textSteps(parts, out, {
    head: '',
    row: (row) =>
      `{"${START}":"${times.of(row.startTicks)}","${MS}":${durationMs(row)},"${SIZE}":${sizeBytes(row)},${places.of(row)},` +
      `"${FILE_SIZE}":${fileSizeBytes(row)},"${COMPRESSED}":${compressedBytes(row)},"${ACCELERATION}":${acceleration(row)}}\n`,
    tail: '',
  })
}
