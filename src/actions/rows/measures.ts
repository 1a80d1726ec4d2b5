import { asNumber, orNull } from '../../base/json/check.ts'
import { parseTicks } from '../../base/ticks.ts'
import { readEnvironments, sumOfStorage } from '../../ravendb/databases/environments.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import type { Figure } from '../figures.ts'
import type { ActionCall, Measure, MeasureContext, Recorded } from '../model.ts'
import { readDatabase, type ReadDatabase } from './database-reading.ts'
import { readIndexes } from './index-reading.ts'
import { readOperation } from './operation-reading.ts'

/* Figures that actions are to change, read before and after them. Reading them loads nothing. */

/** Recorded figure for actions on something that uses CPU. */
export const SERVER_CPU: Recorded = { kind: 'server', key: 'cpu.process', label: 'CPU of the server' }

type OfDatabase = 'state' | 'up' | 'size' | 'data' | 'documents' | 'backup'

const stateOf = ({ isDisabled, upTimeMs }: ReadDatabase): string =>
  isDisabled ? 'disabled' : upTimeMs === null ? 'not loaded' : 'loaded'

const folderBytes = (database: ReadDatabase | null): number | null =>
  database?.sizeBytes == null ? null : database.sizeBytes + (database.tempBytes ?? 0)

const FIGURES: Readonly<Record<OfDatabase, (database: ReadDatabase | null) => Figure>> = {
  state: (database) => ({
    label: 'State',
    unit: 'text',
    value: database === null ? 'does not exist' : stateOf(database),
  }),
  up: (database) => ({ label: 'Loaded for', unit: 'ms', value: database?.upTimeMs ?? null }),
  // Includes temporary files, since freeing them frees space on the volume.
  size: (database) => ({ label: 'On disk', unit: 'bytes', value: folderBytes(database), aim: 'less' }),
  data: (database) => ({ label: 'Of it data and journals', unit: 'bytes', value: database?.sizeBytes ?? null }),
  documents: (database) => ({ label: 'Documents', unit: 'count', value: database?.documents ?? null, aim: 'more' }),
  backup: (database) => ({
    label: 'Last backup',
    unit: 'ticks',
    value: database?.lastBackup == null ? null : parseTicks(database.lastBackup),
  }),
}

async function databaseOrNull({ read }: MeasureContext, name: string): Promise<ReadDatabase | null> {
  try {
    return readDatabase(await read('database', { name }))
  } catch (error) {
    if (error instanceof RavenError && (error.status === 404 || error.kind === 'database-missing')) return null
    throw error
  }
}

/**
 * The facts with sizes of all files: for a loaded database the sum in `/databases` omits journals that wait for a data
 * sync, which a compaction or a deletion frees as well. Sizes are null if its storage could not be read.
 */
async function withAllFiles(context: MeasureContext, name: string): Promise<ReadDatabase | null> {
  const database = await databaseOrNull(context, name)
  if (database === null || database.upTimeMs === null) return database
  const all = await context
    .read('storageReport', { database: name })
    .then((report) => sumOfStorage(readEnvironments(report)))
    // The database was unloaded, or the request refused. An incomplete sum would be compared as if it were complete.
    .catch(() => null)
  return { ...database, sizeBytes: all?.bytes ?? null, tempBytes: all?.tempBytes ?? null }
}

const SIZES: ReadonlySet<OfDatabase> = new Set<OfDatabase>(['size', 'data'])

/** Figures of the call's database, as `/databases` reports them; sizes from its storage report. */
export const measureDatabase = (what: string, ...parts: readonly OfDatabase[]): Measure => ({
  what,
  read: async (context) => {
    const read = parts.some((part) => SIZES.has(part)) ? withAllFiles : databaseOrNull
    const database = await read(context, context.call.target.database ?? '')
    return parts.map((part) => FIGURES[part](database))
  },
})

/** Figures of a database, and how long it was unavailable. */
export const MEASURE_RELOAD: Measure = {
  what: 'state, for how long it is loaded, and how long that took',
  read: async (context) => {
    const database = await databaseOrNull(context, context.call.target.database ?? '')
    const took: Figure = { label: 'It took', unit: 'ms', value: context.tookMs }
    return [FIGURES.state(database), FIGURES.up(database), ...(context.tookMs === null ? [] : [took])]
  },
}

const sizeOf = (text: unknown): number | null => {
  const [, amount, unit] = /^([\d,.]+)\s*(Bytes|KBytes|MBytes|GBytes)$/.exec(typeof text === 'string' ? text : '') ?? []
  const power = ['Bytes', 'KBytes', 'MBytes', 'GBytes'].indexOf(unit ?? '')
  return amount === undefined || power < 0 ? null : Number(amount.replaceAll(',', '')) * 1024 ** power
}

/** The response has the values before and after. */
export const MEASURE_COLLECTION: Measure = {
  what: 'managed memory, as the server answers it',
  answered: (accepted) => {
    if (typeof accepted !== 'object' || accepted === null) return null
    const at = (field: string): readonly Figure[] => [
      {
        label: 'Managed memory',
        unit: 'bytes',
        value: sizeOf((accepted as Record<string, unknown>)[field]),
        aim: 'less',
      },
    ]
    return { before: at('BeforeGC'), after: at('AfterGC') }
  },
}

export const MEASURE_OPERATION: Measure = {
  what: 'state and progress of the operation',
  read: async (context) => {
    const { database, name } = context.call.target
    const state = await readOperation(context, database, Number(name))
    const processed = orNull(asNumber, state?.progress?.['Processed'] ?? null, '$.Processed')
    return [
      { label: 'Operation', unit: 'text', value: state === null ? 'not known to the server' : state.status },
      ...(processed === null ? [] : [{ label: 'Processed', unit: 'count', value: processed } as const]),
    ]
  },
}

const indexNameOf = ({ target }: ActionCall): string => (target.name ?? '').toLowerCase()

export const MEASURE_INDEX_ERRORS: Measure = {
  what: 'the number of errors of the index',
  read: async (context) => {
    const all = readIndexes(await context.read('indexesStats', { database: context.call.target.database ?? '' }))
    const errors = all.get(indexNameOf(context.call))?.errors ?? null
    return [{ label: 'Errors', unit: 'count', value: errors, aim: 'less' }]
  },
}

export const MEASURE_INDEX_GONE: Measure = {
  what: 'the indexes of the database, and on disk',
  read: async (context) => {
    const name = context.call.target.database ?? ''
    const all = readIndexes(await context.read('indexesStats', { database: name }))
    return [
      { label: 'Indexes', unit: 'count', value: all.size, aim: 'less' },
      FIGURES.size(await withAllFiles(context, name)),
    ]
  },
}
