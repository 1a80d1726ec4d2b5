import type { Exporters, RequestingSteps } from '../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../capture/exporting/pieces.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { WriteRequest } from '../../../ravendb/http/write.ts'
import type { AttachmentExport, DocumentExports } from '../contract.ts'

/** Exports an attachment of any size as a file, with only one piece of it in memory. Its rows are bytes. */
export const attachmentExporters = (governor: () => Governor): Exporters<keyof DocumentExports> => ({
  'documents.attachment': (params) => ({
    rows: params.bytes,
    steps: (out) => copy(governor(), params, out),
  }),
})

const requestOf = ({ database, id, name }: AttachmentExport): WriteRequest => ({
  method: 'GET',
  path: `/databases/${encodeURIComponent(database)}/attachments?id=${encodeURIComponent(id)}&name=${encodeURIComponent(name)}`,
  route: '/databases/{database}/attachments',
  body: null,
  right: 'Database',
  database,
  timeoutMs: Number.POSITIVE_INFINITY,
})

async function* copy(governor: Governor, params: AttachmentExport, out: Pieces): RequestingSteps {
  const abort = new AbortController()
  try {
    const response = await governor.transfer(requestOf(params), { signal: abort.signal })
    const reader = response.body?.getReader()
    let written = 0
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {}
      if (done || value === undefined) break
      out.bytes(value)
      written += value.length
      yield written
    }
    if (written !== params.bytes)
      throw new Error(
        `${String(written)} bytes came of ${String(params.bytes)}: it was replaced or cut off. Read the document again.`,
      )
  } finally {
    abort.abort()
  }
}
