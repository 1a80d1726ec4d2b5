import { asObject, orNull, unlessNegative, type JsonObject } from '../../base/json/check.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import { faultOf, type OperationState } from '../../ravendb/operations-wire.ts'
import { formatBytes, formatCount, formatPlural } from '../../base/text/format.ts'
import {
  CANCELLED,
  type Action,
  type ActionCall,
  type CheckContext,
  type CheckResult,
  type TransferState,
} from '../model.ts'
import { checkDatabase, readDatabase } from './database-reading.ts'
import { measureDatabase } from './measures.ts'
import { canBeLoaded, discardsResets, howMuch, isUnloaded, loadsFirst, nameOf, named } from './database-words.ts'
import { operationIdOf, readOperation } from './operation-reading.ts'

/* Export to a file of this computer, and import of one. Options and traps as measured on 7.1.5, 6.2.4 and 5.4.207. */

const DATA = 'Documents,RevisionDocuments,Attachments,CounterGroups,TimeSeries,Conflicts,Tombstones'

/** Parts by the words of the choice; undefined: everything. */
const PARTS: Readonly<Record<string, string | undefined>> = {
  'Documents and indexes': `${DATA},Indexes,Identities,CompareExchange`,
  'Documents only': DATA,
  'Everything, settings and tasks too': undefined,
}

const optionsOf = ({ inputs }: ActionCall): object => {
  const types = PARTS[inputs['what'] ?? '']
  return types === undefined ? {} : { OperateOnTypes: types }
}

/** `1,063 documents`; null: not reported. */
export function documentsRead(state: JsonObject | null): number | null {
  const documents = orNull(asObject, state?.['Documents'], '$.Documents')
  return unlessNegative(documents?.['ReadCount'], '$.Documents.ReadCount')
}

const errored = (result: JsonObject | null): number =>
  unlessNegative(orNull(asObject, result?.['Documents'], '$.Documents')?.['ErroredCount'], '$') ?? 0

/** Errors of 7.1.5, 6.2.4 and 5.4.207 for a file that is not a dump from its first bytes. */
const NO_DUMP = /^Empty stream$|^(?:Invalid JSON|Cannot have a )[^]* \(1,\d\)/

async function faultOfImport(context: CheckContext, fault: string): Promise<CheckResult> {
  const imported = (await hasAsMany(context)) ? 'It has as many documents as before.' : IN_PART
  return NO_DUMP.test(fault)
    ? { state: 'failed', text: `This is no RavenDB dump. ${imported}`, detail: fault }
    : { state: 'failed', text: `${fault} ${imported}` }
}

/** Whether the database has as many documents as before; false also if not known. */
async function hasAsMany(context: CheckContext): Promise<boolean> {
  const before = context.before?.find(({ unit }) => unit === 'count')?.value
  if (typeof before !== 'number') return false
  const name = context.call.target.database ?? ''
  const now = await context.read('database', { name }).then(readDatabase, () => null)
  return now?.documents === before
}

/** Note for a failed import: 6.2.4 kept 697 documents of a truncated file without saying so. */
const IN_PART = '(What it had imported until then stays.)'
const CUT = 'The connection was lost while the file was sent.'
const GONE = 'The page that had the file was closed or reloaded.'

/**
 * Checks both the server's operation and the file: each must have ended. Names the cause if the database was deleted or
 * disabled meanwhile: the server says no more than that the operation was cancelled.
 */
async function check(context: CheckContext, how: 'export' | 'import'): Promise<CheckResult> {
  try {
    const result = await checkTransfer(context, how)
    if (!isFailure(result) || isCancelledHere(context)) return result
    const lost = await lostDatabase(context, how).catch(() => null)
    if (lost === null || lost.state === 'running') return lost ?? result
    return { ...lost, detail: result.text }
  } catch (error) {
    const lost = error instanceof RavenError ? await lostDatabase(context, how).catch(() => null) : null
    if (lost !== null) return lost
    throw error
  }
}

const isFailure = ({ state, isLast }: CheckResult): boolean =>
  state === 'failed' || (state === 'unknown' && isLast === true)

const isCancelledHere = ({ accepted, transferOf }: CheckContext): boolean => {
  const id = operationIdOf(accepted)
  return id !== null && transferOf(id)?.error === CANCELLED
}

/**
 * Result for a database that was deleted or disabled, or is being closed; null: none of them. Errors: `RavenError`,
 * `ParseError`.
 */
async function lostDatabase(context: CheckContext, how: 'export' | 'import'): Promise<CheckResult | null> {
  const end = `before the ${how} had ended.`
  const result = await checkDatabase(context, context.call.target.database, (database) =>
    database === null || database.isDeleting
      ? { state: 'failed', text: `The database was deleted ${end}` }
      : database.isDisabled
        ? { state: 'failed', text: `The database was disabled ${end}${how === 'import' ? ` ${IN_PART}` : ''}` }
        : database.isClosing
          ? { state: 'running', text: 'The server is closing the database.' }
          : { state: 'unchanged', text: '' },
  )
  return result.state === 'unchanged' ? null : result
}

async function checkTransfer(context: CheckContext, how: 'export' | 'import'): Promise<CheckResult> {
  const { call, accepted } = context
  const id = operationIdOf(accepted)
  if (id === null)
    return { state: 'unknown', text: 'The response was lost, so it is not known what became of it.', isLast: true }
  const transfer = context.transferOf(id)
  // A state that the server still has does not make a file complete.
  const isCancelled = transfer?.error === CANCELLED
  const goesOn = how === 'import' && (isCancelled || transfer?.isCut === true)
  const isBroken = transfer?.state === 'failed' && !goesOn
  const state = await readOperation(context, call.target.database, id).catch((error: unknown) => {
    if (!isBroken) throw error
    return null
  })
  // The server calls an export failed that was cancelled here, and cancelled if the connection was lost.
  if (isCancelled && how === 'export') return { state: 'failed', text: CANCELLED }
  if (isCancelled && state?.status !== 'Completed') return cancelled(state)
  if (state?.status === 'Canceled') return { state: 'failed', text: transfer?.error ?? CANCELLED }
  if (state?.status === 'Faulted')
    return how === 'import' ? faultOfImport(context, faultOf(state)) : { state: 'failed', text: faultOf(state) }
  if (isBroken) return { state: 'failed', text: transfer.error ?? 'The file was not transferred.' }
  const isCut = transfer?.isCut === true
  if (state === null)
    return transfer?.state === 'running'
      ? { state: 'running', text: moved(transfer, how), ...shareOf(call, transfer, null) }
      : {
          state: 'unknown',
          text: `The server does not know the operation${isCut ? `: it has received nothing of the file, or was restarted with a part of it imported. ${CUT}` : ` any more. ${transfer === null ? GONE : ''}`}`,
          isLast: true,
        }
  const read = documentsRead(state.status === 'Completed' ? state.result : state.progress)
  const documents = read === null ? '' : `${formatPlural(read, 'document')} ${how === 'export' ? 'written' : 'read'}. `
  if (state.status !== 'Completed') {
    if (how === 'export' && transfer === null) return { state: 'failed', text: `The file is not complete. ${GONE}` }
    return {
      state: 'running',
      text: documents + (transfer === null ? '' : isCut ? CUT : moved(transfer, how)),
      ...shareOf(call, transfer, read),
    }
  }
  if (how === 'import') {
    const bad = errored(state.result)
    return {
      state: 'done',
      text: `${read === null ? 'It is imported.' : `${formatPlural(read, 'document')} imported.`}${bad > 0 ? ` ${formatCount(bad)} failed.` : ''}`,
    }
  }
  if (transfer === null) return { state: 'unknown', text: `The server has sent all of it. ${GONE}`, isLast: true }
  if (transfer.state === 'running') return { state: 'running', text: `${documents}${moved(transfer, how)}` }
  return {
    state: 'done',
    text: `${documents}The file has ${formatBytes(transfer.bytes)}${transfer.isDownload === true ? ': the downloads of the browser say whether it could be saved' : ''}.`,
  }
}

/** The server continues with what it has received of a file until the operation is ended. */
function cancelled(state: OperationState | null): CheckResult {
  if (state === null) return { state: 'failed', text: CANCELLED }
  if (state.status !== 'InProgress') return { state: 'failed', text: `${CANCELLED} ${IN_PART}` }
  const read = documentsRead(state.progress)
  return {
    state: 'running',
    text: `Cancelled here; the server has not ended it yet.${read === null ? '' : ` ${formatPlural(read, 'document')} read.`}`,
  }
}

/** Whether the file has been sent completely; the server may still be reading it. */
const isSent = ({ bytes, totalBytes }: TransferState): boolean => totalBytes !== null && bytes >= totalBytes

const moved = (transfer: TransferState, how: 'export' | 'import'): string => {
  const { bytes, totalBytes } = transfer
  if (how === 'export') return `${formatBytes(bytes)} saved.`
  return isSent(transfer)
    ? `All ${formatBytes(bytes)} sent: the server imports them.`
    : `${formatBytes(bytes)}${totalBytes === null ? '' : ` of ${formatBytes(totalBytes)}`} sent.`
}

/**
 * Progress by the bytes of a file that is sent, or by the documents of one that is received, whose size is not known
 * beforehand. Left out if neither is known, as for a file that is sent but not read yet.
 */
function shareOf(call: ActionCall, transfer: TransferState | null, read: number | null): { progress?: number } {
  if (transfer !== null && isSent(transfer)) return {}
  if (transfer !== null && transfer.totalBytes !== null && transfer.totalBytes > 0)
    return { progress: Math.min(1, transfer.bytes / transfer.totalBytes) }
  const { documents } = call.facts
  return read === null || documents === undefined || documents === 0 ? {} : { progress: Math.min(1, read / documents) }
}

/** Delimiters by the words of the choice. */
const DELIMITERS: Readonly<Record<string, string>> = { Comma: ',', Semicolon: ';', Tab: '\t', Pipe: '|' }

/** Time limit, ms; creating the sample data took 3 s on an idle machine. */
const SAMPLE_MS = 300_000

const WHAT = { name: 'what', label: 'What', choices: Object.keys(PARTS) }

export const SMUGGLER_ACTIONS: readonly Action[] = [
  {
    id: 'database.export',
    target: 'database',
    title: 'Export to a file',
    done: 'Exported',
    right: 'Database',
    confirm: 'confirm',
    transfer: 'download',
    fields: [WHAT],
    applies: canBeLoaded,
    request: (call) => ({
      method: 'POST',
      path: ['databases', nameOf(call), 'smuggler', 'export'],
      body: optionsOf(call),
      mayLoad: isUnloaded(call.facts),
    }),
    consequence: (call) =>
      `${named(call)}${howMuch(call.facts)} is written to a file of this computer, piece by piece as it comes. ${loadsFirst(call)}It takes CPU, disk and network of the server meanwhile. The file is compressed and not encrypted. Keep this page open until it is done.`,
    loss: () => null,
    read: 'the state of the operation, in `operations/state`, and that the file is whole',
    isLong: true,
    onFailure: { leaves: 'The database as it was, and no part of a file.' },
    check: (context) => check(context, 'export'),
  },
  {
    id: 'database.import',
    target: 'database',
    title: 'Import a file',
    done: 'Imported',
    right: 'DatabaseWrite',
    confirm: 'confirm',
    transfer: 'upload',
    fields: [{ name: 'file', label: 'File (.ravendbdump)', input: 'file' }, WHAT],
    applies: canBeLoaded,
    request: (call) => ({
      method: 'POST',
      path: ['databases', nameOf(call), 'smuggler', 'import'],
      body: optionsOf(call),
      mayLoad: isUnloaded(call.facts),
    }),
    consequence: (call) =>
      `What the file has is written into ${named(call)}${howMuch(call.facts)}. ${loadsFirst(call)}Its indexes index what is new. Keep this page open until it is done.`,
    loss: ({ inputs }, version) =>
      `Documents and indexes of the same names are overwritten without asking, with “everything” the settings and tasks too. Nothing undoes it: import into a new database to be safe.${inputs['what'] === 'Documents only' ? '' : discardsResets(version)}`,
    measure: measureDatabase('documents', 'documents'),
    read: 'the state of the operation, in `operations/state`',
    isLong: true,
    onFailure: {
      leaves: 'What was imported until then, without disk space too.',
      loses: () => 'What the documents that it has overwritten until then were before.',
    },
    check: (context) => check(context, 'import'),
  },
  {
    id: 'database.import-csv',
    target: 'database',
    title: 'Import a CSV file',
    done: 'CSV imported',
    optionsPart: 'csvImportOptions',
    right: 'DatabaseWrite',
    confirm: 'confirm',
    transfer: 'upload',
    fields: [
      { name: 'file', label: 'File (.csv, UTF-8)', input: 'file' },
      { name: 'collection', label: 'Collection', hint: 'Of the documents that it makes.' },
      { name: 'delimiter', label: 'Delimiter', choices: Object.keys(DELIMITERS) },
    ],
    applies: canBeLoaded,
    request: (call) => ({
      method: 'POST',
      path: ['databases', nameOf(call), 'smuggler', 'import', 'csv'],
      query: { collection: (call.inputs['collection'] ?? '').trim() },
      body: { Delimiter: DELIMITERS[call.inputs['delimiter'] ?? ''] ?? ',' },
      mayLoad: isUnloaded(call.facts),
    }),
    consequence: (call) =>
      `Each line of the file becomes a document of the collection “${(call.inputs['collection'] ?? '').trim()}” in ${named(call)}${howMuch(call.facts)}. ${loadsFirst(call)}Its first line names the fields; a column @id has the ids of all lines, else the server makes them. Keep this page open until it is done.`,
    loss: () => 'Documents of the same ids are overwritten without asking. Import into a new database to be safe.',
    measure: measureDatabase('documents', 'documents'),
    read: 'the state of the operation, in `operations/state`',
    isLong: true,
    onFailure: {
      leaves: 'What was imported until then.',
      loses: () => 'What the documents that it has overwritten until then were before.',
    },
    check: (context) => check(context, 'import'),
  },
  {
    id: 'database.sample-data',
    target: 'database',
    title: 'Create sample data',
    done: 'Sample data created',
    right: 'DatabaseWrite',
    confirm: 'confirm',
    applies: (facts) => canBeLoaded(facts) && (facts.documents ?? 0) === 0,
    request: (call) => ({
      method: 'POST',
      path: ['databases', nameOf(call), 'studio', 'sample-data'],
      mayLoad: isUnloaded(call.facts),
      timeoutMs: SAMPLE_MS,
    }),
    consequence: (call) =>
      `The documents, indexes and attachments of a small shop are written into ${named(call)}${howMuch(call.facts)}. ${loadsFirst(call)}The server refuses it where the database has documents.`,
    loss: () => null,
    measure: measureDatabase('documents', 'documents'),
    read: 'that the database has documents',
    onFailure: { leaves: 'What was written until then.' },
    check: (context) =>
      checkDatabase(context, context.call.target.database, (database) =>
        (database?.documents ?? 0) > 0
          ? { state: 'done', text: `The database has ${formatPlural(database?.documents ?? 0, 'document')}.` }
          : { state: 'unchanged', text: 'The database has no document.' },
      ),
  },
]
