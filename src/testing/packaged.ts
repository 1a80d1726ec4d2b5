import { readFileSync } from 'node:fs'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { judgePackage } from '../app/facts/judge-package.ts'
import { listPackage } from '../capture/reading/package-entries.ts'
import type { PackageTriage } from '../features/package/contract.ts'
import { readPackage } from '../features/package/data/packages.ts'

/* Debug packages of real servers, changed in a field. */

export const PACKAGED_VERSIONS = ['7.1', '6.2', '5.4'] as const
export type Entries = Record<string, Uint8Array>

/** Nothing changes what was unpacked, so that tests share it. */
const unpacked = new Map<string, Entries>()

/** A package by its file: of a busy healthy server, or `INCIDENT`. */
export function packaged(version: (typeof PACKAGED_VERSIONS)[number], name = 'debug-info-package.zip'): Entries {
  const path = `recorded/${version}/${name}`
  const entries = unpacked.get(path) ?? unzipSync(readFileSync(new URL(path, import.meta.url)))
  unpacked.set(path, entries)
  return { ...entries }
}

/** File of a server on which trouble was provoked: see `recorded/README.md`. */
export const INCIDENT = 'debug-info-package-incident.zip'

export async function readEntries(entries: Entries) {
  const listed = await listPackage(new Blob([zipSync(entries, { level: 0 })]), 'zip')
  return readPackage({ listed, step: () => Promise.resolve() })
}

export const judgeEntries = async (entries: Entries): Promise<PackageTriage> => judgePackage(await readEntries(entries))

/** Changes an entry of JSON. */
export function edited(entries: Entries, path: string, change: (body: Record<string, unknown>) => unknown): Entries {
  const body = JSON.parse(new TextDecoder().decode(entries[path])) as Record<string, unknown>
  return { ...entries, [path]: strToU8(JSON.stringify(change(body))) }
}
