import type { Bytes } from '../../../../base/brand.ts'
import { Fields } from '../../../../base/json/fields.ts'
import type { Governor } from '../../../../ravendb/governor/governor.ts'
import { requestLowMemoryLimit } from '../../../../ravendb/machine/low-memory-limit-request.ts'
import { privateBytesOf, readProcessMemory } from '../../../../ravendb/machine/kernel-memory.ts'
import type { ServerModel } from '../model.ts'
import type { FilePages } from '../../contract/machine.ts'

/**
 * Reads the clean part of the process's file pages from `/admin/debug/memory/smaps`, and from `/proc/self/status` at
 * the same time: smaps counts private memory as dirty without reporting its size. Errors: `ParseError`.
 */
export function readFilePages(smaps: unknown, status: string): Omit<FilePages, 'atTicks'> {
  const totals = new Fields(smaps).in('Totals')
  const dirtyBytes = totals.number('TotalDirty')
  return {
    cleanBytes: totals.number('TotalClean') as Bytes,
    dirtyBytes: Math.max(0, dirtyBytes - privateBytesOf(readProcessMemory(status))) as Bytes,
  }
}

/** Minimum interval between two requests, since each makes the server walk through all its page tables. */
const FILES_EVERY_MS = 60_000

/**
 * Memory figures that are too expensive for a poll, requested for an open card. If a request fails, its figures stay
 * unknown.
 */
export class MemoryDetail {
  #filesMs = Number.NEGATIVE_INFINITY

  request(files: boolean, governor: Governor, model: ServerModel): void {
    void this.#limit(governor, model)
    if (files) void this.#files(governor, model)
  }

  async #limit(governor: Governor, model: ServerModel): Promise<void> {
    const limit = await requestLowMemoryLimit(governor)
    if (limit === null || model.memory.limit?.bytes === limit.bytes) return
    model.memory.limit = limit
    model.version++
  }

  async #files(governor: Governor, model: ServerModel): Promise<void> {
    const nowMs = governor.env.now()
    if (nowMs - this.#filesMs < FILES_EVERY_MS) return
    this.#filesMs = nowMs
    try {
      const [smaps, status] = await Promise.all([governor.json('memorySmaps'), governor.bytes('procStatus')])
      const files = readFilePages(smaps, new TextDecoder().decode(status))
      model.memory.files = { ...files, atTicks: model.clock.at(governor.env.now()) }
      model.version++
    } catch {
      // Not known: the bar then shows file pages undivided.
    }
  }
}
