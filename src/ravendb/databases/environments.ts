import type { Bytes } from '../../base/brand.ts'
import {
  asArray,
  asNumber,
  asObject,
  asString,
  orNull,
  unlessNegative,
  type JsonObject,
} from '../../base/json/check.ts'

/** A storage environment of a database: its documents, its configuration, or one index. Null: not reported. */
export interface StorageEnvironment {
  readonly name: string
  /** `Documents`, `Index`, `Configuration`, … */
  readonly type: string
  /** Without temporary files; for an unloaded database journals are included. */
  readonly dataBytes: Bytes
  /** Allocated in the data file but unused: what compaction may free. */
  readonly freeBytes: Bytes | null
  readonly journalBytes: Bytes | null
  readonly tempBytes: Bytes
  /** Mount point of its volume. */
  readonly mount: string | null
  readonly volumeFreeBytes: Bytes | null
}

/** Reads `debug/storage/report`, largest first. Errors: `ParseError`. */
export function readEnvironments(response: unknown): StorageEnvironment[] {
  const results = asArray(asObject(response, '$')['Results'], '$.Results')
  return largestFirst(
    results.map((item, row) => {
      const path = `$.Results[${row}]`
      const entry = asObject(item, path)
      const report = asObject(entry['Report'], `${path}.Report`)
      const file = asObject(report['DataFile'], `${path}.Report.DataFile`)
      const sum = (field: string): Bytes =>
        (orNull(asArray, report[field], `${path}.Report.${field}`) ?? []).reduce<number>(
          (bytes, each) =>
            bytes +
            (numberOf(asObject(each, `${path}.Report.${field}`), 'AllocatedSpaceInBytes', `${path}.Report.${field}`) ??
              0),
          0,
        ) as Bytes
      return {
        name: asString(entry['Name'], `${path}.Name`),
        type: asString(entry['Type'], `${path}.Type`),
        dataBytes: asNumber(file['AllocatedSpaceInBytes'], `${path}.Report.DataFile.AllocatedSpaceInBytes`) as Bytes,
        freeBytes: numberOf(file, 'FreeSpaceInBytes', `${path}.Report.DataFile`),
        journalBytes: sum('Journals'),
        tempBytes: sum('TempFiles'),
        mount: null,
        volumeFreeBytes: null,
      }
    }),
  )
}

/**
 * Reads `/databases?name=`, which has them only for an unloaded database; 5.4 returns the database itself. Empty: none
 * reported. Errors: `ParseError`.
 */
export function readUnloadedEnvironments(response: unknown): StorageEnvironment[] {
  const body = asObject(response, '$')
  const entries = body['Databases'] === undefined ? [body] : asArray(body['Databases'], '$.Databases')
  const entry = asObject(entries[0] ?? {}, '$.Databases[0]')
  const usages = orNull(asArray, entry['MountPointsUsage'], '$.MountPointsUsage') ?? []
  // For a loaded database the response has what its environments use now, which its own report has as well.
  if (entry['UpTime'] !== null && entry['UpTime'] !== undefined) return []
  return largestFirst(
    usages.map((item, row) => {
      const path = `$.MountPointsUsage[${row}]`
      const usage = asObject(item, path)
      const volume = orNull(asObject, usage['DiskSpaceResult'], `${path}.DiskSpaceResult`)
      return {
        name: orNull(asString, usage['Name'], `${path}.Name`) ?? '',
        type: orNull(asString, usage['Type'], `${path}.Type`) ?? 'Documents',
        dataBytes: (numberOf(usage, 'UsedSpace', path) ?? 0) as Bytes,
        freeBytes: null,
        journalBytes: null,
        tempBytes: numberOf(usage, 'UsedSpaceByTempBuffers', path) ?? (0 as Bytes),
        mount: orNull(asString, volume?.['DriveName'], `${path}.DiskSpaceResult.DriveName`),
        volumeFreeBytes: volume === null ? null : numberOf(volume, 'TotalFreeSpaceInBytes', `${path}.DiskSpaceResult`),
      }
    }),
  )
}

const numberOf = (object: JsonObject, field: string, path: string): Bytes | null =>
  unlessNegative(object[field], `${path}.${field}`) as Bytes | null

interface StorageSum {
  /** Data files and journals. */
  readonly bytes: Bytes
  readonly tempBytes: Bytes
}

/** Sums the sizes of environments on disk. */
export function sumOfStorage(environments: readonly StorageEnvironment[]): StorageSum {
  let [bytes, tempBytes] = [0, 0]
  for (const each of environments) {
    bytes += each.dataBytes + (each.journalBytes ?? 0)
    tempBytes += each.tempBytes
  }
  return { bytes: bytes as Bytes, tempBytes: tempBytes as Bytes }
}

const diskBytes = ({ dataBytes, journalBytes, tempBytes }: StorageEnvironment): number =>
  dataBytes + (journalBytes ?? 0) + tempBytes

const largestFirst = (environments: StorageEnvironment[]): StorageEnvironment[] =>
  environments.toSorted((a, b) => diskBytes(b) - diskBytes(a))
