import { strToU8, Zip, ZipDeflate } from 'fflate'
import { jsonWithoutSecrets } from '../../../base/text/secrets.ts'
import { formatTicks, type Ticks } from '../../../base/ticks.ts'
import type { Exporters, ExportPlan } from '../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../capture/exporting/pieces.ts'
import type { NewestResponse } from '../../../ravendb/http/newest.ts'
import type { ServerExports } from '../contract.ts'

/** Folder of the responses of the server about itself. */
const SERVER_WIDE = 'server-wide'

export interface PackageSource {
  /** Newest responses, as they arrived. */
  readonly newest: () => readonly NewestResponse[]
  /** Server's clock at a moment of the wall clock, ms; null: not known. */
  readonly ticksAt: (atMs: number) => Ticks | null
  readonly nodeTag: () => string | null
}

/** Exports what was read of a server in the layout of its own debug package: a row is an entry. Sends no request. */
export const packageExporters = (source: PackageSource) =>
  ({ 'server.package': () => packagePlan(source) }) satisfies Exporters<keyof ServerExports>

function packagePlan({ newest, ticksAt, nodeTag }: PackageSource): ExportPlan {
  const responses = newestOfEach(newest())
  if (responses.length === 0) throw new Error('Nothing of this server was read yet that a package has.')
  const tag = nodeTag()
  return {
    rows: responses.length,
    *steps(out: Pieces) {
      const zip = new Zip((error, chunk) => {
        // Never seen; it is thrown by the step that pushed what failed.
        if (error !== null) throw error
        out.bytes(chunk)
      })
      for (const [i, { entry, database, bytes, atMs }] of responses.entries()) {
        const file = new ZipDeflate(`${database ?? SERVER_WIDE}/${entry}.json`, { level: 6 })
        zip.add(file)
        file.push(strToU8(entryText(new TextDecoder().decode(bytes), ticksAt(atMs), tag)), true)
        yield i + 1
      }
      zip.end()
    },
  }
}

/** Responses by entry: of one that was requested with several queries the newest. */
function newestOfEach(all: readonly NewestResponse[]): readonly NewestResponse[] {
  const byEntry = new Map<string, NewestResponse>()
  for (const each of all.toSorted((a, b) => a.atMs - b.atMs)) byEntry.set(`${each.database ?? ''}/${each.entry}`, each)
  return [...byEntry.values()].toSorted((a, b) =>
    (a.database ?? '') === (b.database ?? '')
      ? a.entry < b.entry
        ? -1
        : 1
      : (a.database ?? '') < (b.database ?? '')
        ? -1
        : 1,
  )
}

/** Text of an entry: the response without secrets, with its time and node, as the server writes them into a package. */
function entryText(response: string, atTicks: Ticks | null, tag: string | null): string {
  const text = jsonWithoutSecrets(response).trimStart()
  if (atTicks === null || !text.startsWith('{') || /^\{\s*"@metadata"/.test(text)) return text
  const metadata = JSON.stringify({ DateTime: formatTicks(atTicks), ...(tag === null ? {} : { NodeTag: tag }) })
  const rest = text.slice(1).trimStart()
  return `{"@metadata":${metadata}${rest.startsWith('}') ? '' : ','}${rest}`
}
