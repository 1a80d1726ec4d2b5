import type { Exporters, RequestingSteps } from '../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../capture/exporting/pieces.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
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

/** Whether the server has nothing of that name: an empty 404, not that of a proxy or of a database that is gone. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof RavenError && error.status === 404 && error.kind !== 'database-missing' && error.kind !== 'not-json'

export const attachmentGone = (): RavenError =>
  new RavenError({
    kind: 'bad-request',
    endpoint: 'attachments',
    status: 404,
    message: 'The document does not have this attachment any more.',
    hint: 'It was deleted, or its document was: open the document again.',
  })

/** Request for the file of an attachment. */
export const attachmentRequest = ({ database, id, name }: Omit<AttachmentExport, 'bytes'>): WriteRequest => ({
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
    const response = await governor.transfer(attachmentRequest(params), { signal: abort.signal })
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
    return null
  } catch (error) {
    throw isNotFound(error) ? attachmentGone() : error
  } finally {
    abort.abort()
  }
}
