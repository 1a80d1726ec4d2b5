import { asArray, asObject, asString, type JsonObject } from '../../base/json/check.ts'
import { formatBytes } from '../../base/text/format.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import {
  AS_IT_WAS,
  targetWords,
  type Action,
  type ActionCall,
  type ActionRequest,
  type CheckContext,
  type CheckResult,
} from '../model.ts'
import { checkReading } from './index-reading.ts'

/** Time limit, ms: a file of any size is read from the disk while it is sent. */
const UPLOAD_MS = 6 * 3600_000

/* Actions on a document. Its text never becomes part of a call: it goes along as the payload. */

const requestTo = (
  { target: { database, name } }: ActionCall,
  method: ActionRequest['method'],
  part: 'docs' | 'attachments',
  query: Readonly<Record<string, string>> = {},
): ActionRequest => ({ method, path: ['databases', database ?? '', part], query: { id: name ?? '', ...query } })

/** Id of a saved document, which the server may have completed; null: not in the response. */
export const acceptedId = (accepted: unknown): string | null =>
  typeof accepted === 'object' && accepted !== null && 'Id' in accepted && typeof accepted.Id === 'string'
    ? accepted.Id
    : null

/** Current metadata of the document; null: no document with that id. Errors: `RavenError`. */
async function metadataOf({ read, call, accepted }: CheckContext, database: string): Promise<JsonObject | null> {
  try {
    const id = acceptedId(accepted) ?? call.target.name ?? ''
    const response = await read('documentMetadata', { database, id })
    const [found] = asArray(asObject(response, '$')['Results'], '$.Results')
    if (found === null || found === undefined) return null
    return asObject(asObject(found, '$.Results[0]')['@metadata'], '$.Results[0].@metadata')
  } catch (error) {
    if (error instanceof RavenError && error.status === 404 && error.kind !== 'database-missing') return null
    throw error
  }
}

const checkDocument = (
  context: CheckContext,
  judge: (metadata: JsonObject | null) => CheckResult,
): Promise<CheckResult> => checkReading(context, async (database) => judge(await metadataOf(context, database)))

const versionOf = (metadata: JsonObject): string => asString(metadata['@change-vector'], '@change-vector')

const GONE = 'The document does not exist any more.'

/** New change vector from the response; null: the response was lost. */
function acceptedVersion(accepted: unknown): string | null {
  const isGiven = typeof accepted === 'object' && accepted !== null && 'ChangeVector' in accepted
  return isGiven && typeof accepted.ChangeVector === 'string' ? accepted.ChangeVector : null
}

/** Id that the server completed, for a sentence; empty: it is the one that was sent. */
function madeId({ accepted, call }: CheckContext): string {
  const id = acceptedId(accepted)
  return id === null || id.toLowerCase() === call.target.name?.toLowerCase() ? '' : `“${id}”, `
}

const checkSaved = (context: CheckContext): Promise<CheckResult> =>
  checkDocument(context, (metadata) => {
    const { accepted, call } = context
    const expected = call.inputs['expected'] ?? ''
    const given = acceptedVersion(accepted)
    if (metadata === null)
      return given === null && expected === ''
        ? { state: 'unchanged', text: 'There is no document of that id.' }
        : { state: 'gone', text: given === null ? GONE : `It was saved. ${GONE}` }
    const now = versionOf(metadata)
    if (given !== null)
      return now === given
        ? { state: 'done', text: `The server has it as ${madeId(context)}change vector ${now}.` }
        : { state: 'done', text: `It was saved; its change vector is ${now} by now, of a later change.` }
    if (now === expected) return { state: 'unchanged', text: `Its change vector is still ${now}.` }
    return {
      state: 'unknown',
      text: `Its change vector is ${now}: of this save, or of another client. The draft is kept; open the document to compare.`,
      isLast: true,
    }
  })

const attachmentsIn = (metadata: JsonObject): readonly JsonObject[] =>
  asArray(metadata['@attachments'] ?? [], '@attachments').map((item) => asObject(item, '@attachments'))

const checkAttachment =
  (isWanted: boolean) =>
  (context: CheckContext): Promise<CheckResult> =>
    checkDocument(context, (metadata) => {
      if (metadata === null) return { state: isWanted ? 'gone' : 'done', text: GONE }
      const name = context.call.inputs['attachment'] ?? ''
      const found = attachmentsIn(metadata).find((each) => asString(each['Name'], '@attachments.Name') === name)
      const isThere = found !== undefined
      const bytes = context.call.inputs['bytes']
      // An upload that did not arrive leaves an earlier attachment of that name.
      if (isWanted && isThere && bytes !== undefined && String(found['Size']) !== bytes)
        return { state: 'unchanged', text: `The document has another attachment “${name}”, of another size.` }
      const { replaced } = context.call.inputs
      if (isWanted && context.accepted === null && replaced !== undefined && found?.['Hash'] === replaced)
        return { state: 'unchanged', text: `The document still has the attachment “${name}” of before.` }
      return {
        state: isThere === isWanted ? 'done' : 'unchanged',
        text: isThere ? `The document has the attachment “${name}”.` : `The document has no attachment “${name}”.`,
      }
    })

const sizeWords = ({ inputs }: ActionCall): string => {
  const bytes = Number(inputs['bytes'] ?? Number.NaN)
  return Number.isFinite(bytes) ? ` (${formatBytes(bytes)})` : ''
}

/** Precondition for the version that the user has seen: another version is neither replaced nor deleted. */
function ifMatchOf({ inputs, facts }: ActionCall): { readonly ifMatch?: string } {
  const expected = inputs['expected'] ?? facts.changeVector
  return expected === undefined ? {} : { ifMatch: expected }
}

/** Precondition for the version of an attachment, not of its document. Empty: there must be none of that name. */
const attachmentMatch = ({ inputs: { expected } }: ActionCall): { readonly ifMatch?: string } =>
  expected === undefined ? {} : { ifMatch: expected }

const COMMON = { onFailure: AS_IT_WAS, target: 'document', right: 'DatabaseWrite' } satisfies Partial<Action>

export const DOCUMENT_ACTIONS: readonly Action[] = [
  {
    ...COMMON,
    id: 'document.save',
    title: 'Save',
    done: 'Saved',
    confirm: 'none',
    applies: () => true,
    payload: 'the text of the document',
    request: (call) => ({ ...requestTo(call, 'PUT', 'docs'), ...ifMatchOf(call) }),
    consequence: (call) =>
      `${targetWords(call.target)} gets the text in the editor${sizeWords(call)}, if no client has changed it since it was read.`,
    loss: () => null,
    read: 'the change vector of the document, against the one that the server gave it',
    check: checkSaved,
  },
  {
    ...COMMON,
    id: 'document.delete',
    title: 'Delete',
    done: 'Deleted',
    confirm: 'confirm',
    applies: () => true,
    request: (call) => ({ ...requestTo(call, 'DELETE', 'docs'), ...ifMatchOf(call) }),
    consequence: (call) =>
      `${targetWords(call.target)} is deleted, if no client has changed it since it was read. Where revisions are on for its collection, its last state stays as a revision.`,
    loss: () => 'The document with its attachments, counters and time series.',
    removes: true,
    read: 'that the server finds no document of that id',
    check: (context) =>
      checkDocument(context, (metadata) =>
        metadata === null
          ? { state: 'done', text: 'The server finds no document of that id.' }
          : { state: 'unchanged', text: `It is still there, as change vector ${versionOf(metadata)}.` },
      ),
  },
  {
    ...COMMON,
    id: 'document.attach',
    title: 'Upload attachment',
    done: 'Uploaded',
    confirm: 'none',
    applies: () => true,
    payload: 'the file',
    isUpload: true,
    request: (call) => ({
      ...requestTo(call, 'PUT', 'attachments', {
        name: call.inputs['attachment'] ?? '',
        contentType: call.inputs['type'] ?? '',
      }),
      timeoutMs: UPLOAD_MS,
      ...attachmentMatch(call),
    }),
    consequence: (call) =>
      `The file${sizeWords(call)} becomes an attachment of ${targetWords(call.target)}; ${call.inputs['expected'] === '' ? 'none of the same name is replaced' : 'the one of the same name is replaced, if no client has changed it since it was read'}.`,
    loss: () => 'What an attachment of the same name holds.',
    read: 'that `@attachments` of the document lists it',
    check: checkAttachment(true),
  },
  {
    ...COMMON,
    id: 'document.detach',
    title: 'Delete attachment',
    done: 'Attachment deleted',
    confirm: 'confirm',
    applies: (_, inputs) => inputs['attachment'] !== undefined,
    request: (call) => ({
      ...requestTo(call, 'DELETE', 'attachments', { name: call.inputs['attachment'] ?? '' }),
      ...attachmentMatch(call),
    }),
    consequence: (call) =>
      `The attachment of ${targetWords(call.target)} is deleted, if no client has replaced it since it was read.`,
    loss: () => 'The attachment.',
    removes: true,
    read: 'that `@attachments` of the document does not list it',
    check: checkAttachment(false),
  },
]
