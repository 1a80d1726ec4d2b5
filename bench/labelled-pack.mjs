// @ts-check
/** Packs a labelled recording to the minimum that the tests of stall causes need (`src/testing/recorded/stalls`). */
import { gzipSync } from 'node:zlib'

/** @typedef {import('./labelled-record.mjs').Recording} Recording @typedef {import('./labelled-record.mjs').Row} Row */

/** Kind of event by the name of its column. */
const KINDS = /** @type {const} */ ({ writes: 'JournalWrite', syncs: 'DataSync', flushes: 'DataFlush' })

/**
 * @param {Recording} recording
 * @param {{ name: string, says: string, stallMs: number, volumes: readonly { pathContains: string, volume: string }[] }} about
 */
export function packed({ document, ring, delays }, about) {
  const held = new Set(
    ring.Environments.flatMap(({ Path, Files }) =>
      Files.flatMap(({ File, Recent }) => Recent.map((row) => keyOf(Path, File, row))),
    ),
  )
  const all = document.Environments.flatMap(({ Files }) =>
    Files.flatMap(({ Recent }) => Recent.map(({ Start }) => ticksOf(Start))),
  )
  const origin = all.reduce((least, ticks) => (ticks < least ? ticks : least))
  const causes = [...new Set(delays.map(({ cause }) => cause))].toSorted()
  const environments = document.Environments.map(({ Path, Files }) => {
    const columns = (/** @type {keyof typeof KINDS} */ of) =>
      Files.flatMap(({ File, Recent }) =>
        Recent.filter(({ Type }) => Type === KINDS[of]).map((row) => ({
          row,
          ticks: ticksOf(row.Start),
          isHeld: held.has(keyOf(Path, File, row)),
        })),
      ).toSorted((a, b) => Number(a.ticks - b.ticks))
    const writes = columns('writes')
    const truth = writes.flatMap(({ row, ticks }, at) => {
      const label = labelOf(Path, Number(ticks) / 10_000, row.Duration, delays)
      return label === null ? [] : [[at, causes.indexOf(label.cause), Math.round(label.heldMs)]]
    })
    return {
      path: Path,
      writes: { ...packedRows(writes, origin), truth },
      syncs: packedRows(columns('syncs'), origin),
      flushes: packedRows(columns('flushes'), origin),
    }
  }).filter(({ writes, syncs }) => writes.start.length + syncs.start.length > 0)
  return gzipSync(JSON.stringify({ ...about, causes, environments }), { level: 9 })
}

/** Ticks of 100 ns since 1970. @param {string} iso */
const ticksOf = (iso) => BigInt(Date.parse(`${iso.slice(0, 19)}Z`)) * 10_000n + BigInt(iso.slice(20, 27).padEnd(7, '0'))

/** @param {string} path @param {string} file @param {Row} row */
const keyOf = (path, file, { Type, Start, Duration }) => `${path} ${file} ${Type} ${Start} ${Duration}`

/** @param {readonly { row: Row, ticks: bigint, isHeld: boolean }[]} rows @param {bigint} origin */
function packedRows(rows, origin) {
  let [last, isHeld, count] = [origin, false, 0]
  const ring = []
  const start = rows.map(({ ticks }) => {
    const step = Number(ticks - last)
    last = ticks
    return step
  })
  for (const row of rows) {
    if (row.isHeld !== isHeld) {
      ring.push(count)
      count = 0
      isHeld = row.isHeld
    }
    count++
  }
  return {
    start,
    duration: rows.map(({ row }) => Math.round(row.Duration * 100)),
    bytes: rows.map(({ row }) => row.Size ?? 0),
    ring: [...ring, count],
  }
}

/**
 * Finds the cause that delayed a write for the longest time, and that time.
 * @param {string} environment @param {number} startMs @param {number} durationMs @param {Recording['delays']} delays
 */
export function labelOf(environment, startMs, durationMs, delays) {
  /** @type {Map<string, number>} */
  const byCause = new Map()
  for (const { beginMs, endMs, cause, path } of delays) {
    const sharedMs = Math.min(endMs, startMs + durationMs) - Math.max(beginMs, startMs)
    if (sharedMs > 0 && path.startsWith(`${environment}/Journals/`))
      byCause.set(cause, (byCause.get(cause) ?? 0) + sharedMs)
  }
  const [most] = [...byCause].toSorted((a, b) => b[1] - a[1])
  return most === undefined ? null : { cause: most[0], heldMs: most[1] }
}
