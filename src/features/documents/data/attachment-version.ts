import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { AttachmentExport, AttachmentVersion } from '../contract.ts'
import { attachmentRequest, isNotFound } from './attachment-export.ts'
import { readDocument } from './document-text.ts'

/**
 * Reads an attachment with its change vector, which only the headers of its file have. The vector is read first: an
 * upload by another client between the two readings makes it outdated, so that no change is accepted with it.
 */
export async function attachmentVersion(
  governor: Governor,
  params: Omit<AttachmentExport, 'bytes'>,
  signal: AbortSignal,
): Promise<AttachmentVersion | null> {
  try {
    const changeVector = await vectorOf(governor, params, signal)
    const { database, id, name } = params
    const metadata = await governor.bytes('documentMetadata', { database, id }, { signal, isFresh: true })
    const found = readDocument(metadata)?.attachments.find((each) => each.name.toLowerCase() === name.toLowerCase())
    return found === undefined ? null : { ...found, changeVector }
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** Errors: `RavenError`; `Error` if there is no vector. */
async function vectorOf(
  governor: Governor,
  params: Omit<AttachmentExport, 'bytes'>,
  signal: AbortSignal,
): Promise<string> {
  const abort = new AbortController()
  const response = await governor.transfer(attachmentRequest(params), {
    signal: AbortSignal.any([signal, abort.signal]),
  })
  const tag = response.headers.get('etag')
  // The file is not read.
  abort.abort()
  if (tag === null) throw new Error('The server sent the attachment without its change vector.')
  return tag.replace(/^(?:W\/)?"(.*)"$/, '$1')
}
