import { chooseSaveTarget } from '../../ui/save.ts'
import type { Action, ActionCall } from '../model.ts'
import type { FileSide } from './action-runner.ts'

/** Size of a dump, which is not known beforehand: the user chooses a file that is written directly. */
const UNKNOWN_BYTES = Number.POSITIVE_INFINITY

/** Files of this computer for a call, at a click, since the browser may prompt. Null: the user cancelled. */
export async function fileSideOf(action: Action, call: ActionCall, file: File | null): Promise<FileSide | null> {
  if (action.transfer === 'upload') return file === null ? null : { file }
  if (action.transfer !== 'download') return {}
  const target = await chooseSaveTarget({
    name: `${fileNameOf(call.target.database ?? '')} ${stamp(new Date())}.ravendbdump`,
    mediaType: 'application/octet-stream',
    expectedBytes: call.facts.sizeBytes ?? UNKNOWN_BYTES,
  })
  return target === null ? null : { target }
}

/** Replaces characters that file systems do not allow in names. */
const fileNameOf = (name: string): string => name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '_')

/** `2026-11-22 00-39-54`, local time. */
function stamp(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  return `${date} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-')}`
}
