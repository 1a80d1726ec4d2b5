import { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { Snapshot, StackStore } from '../table.ts'
import { studioJson } from './studio-json.ts'

/** A whole snapshot as the server writes one. Its cost for the server is not part of that. */
export function snapshotBytes(store: StackStore, snapshot: Snapshot): Uint8Array<ArrayBuffer>[] {
  const out = new Pieces()
  const rows = Array.from({ length: snapshot.info.sampled }, (_, row) => row)
  for (const _ of studioJson(store, [{ snapshot, rows }], out));
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let part = out.finish(); part !== null; part = out.finish()) parts.push(part)
  return parts
}
