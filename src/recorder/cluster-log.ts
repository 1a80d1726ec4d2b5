import type { Ticks } from '../base/ticks.ts'
import type { ArchiveRecord, CommandRecord } from '../capture/archive/records.ts'
import { CLUSTER_LOG } from '../capture/archive/tables.ts'
import { sourceId } from '../capture/client/state.ts'
import type { ClusterLog } from '../features/cluster-log/contract.ts'

type Take = (record: ArchiveRecord) => void
type Known = Pick<CommandRecord, 'index' | 'term' | 'atTicks'>

/** Takes each command of the cluster log once. Those dropped before they were read become a gap. */
export class ClusterLogTap {
  #last: Known | null = null

  /** Takes a record of an earlier recording. */
  meet({ index, term, atTicks }: Known): void {
    if (this.#last === null || term > this.#last.term || index > this.#last.index) this.#last = { index, term, atTicks }
  }

  take({ commands }: Pick<ClusterLog, 'commands'>, take: Take): void {
    const all = Array.from(commands.index, (index, row) => ({
      t: 'command' as const,
      index,
      term: commands.term[row] ?? 0,
      atTicks: commands.atTicks[row] ?? 0,
      kind: commands.kinds[commands.kind[row] ?? 0] ?? '',
    }))
    const newest = all.at(-1)
    if (newest === undefined) return
    // A command is overwritten only by one of a later term. A log that ends earlier in the same term belongs to another
    // server.
    const last =
      this.#last !== null && newest.index < this.#last.index && newest.term <= this.#last.term ? null : this.#last
    const fresh = all.filter(({ index, term }) => last === null || index > last.index || term > last.term)
    const [first] = fresh
    if (first !== undefined && last !== null && first.index > last.index + 1)
      take({
        t: 'gap',
        gap: {
          id: -1,
          source: sourceId({ kind: 'server' }),
          lane: CLUSTER_LOG,
          kind: null,
          reason: 'ring-lapped',
          startTicks: last.atTicks as Ticks,
          endTicks: first.atTicks as Ticks,
          missingCount: first.index - last.index - 1,
          missingBytes: null,
          detail: 'The server dropped commands of its log before they were read.',
        },
      })
    for (const command of fresh) take(command)
    this.#last = newest
  }

  /** Returns records that start the next journal. */
  *seeds(): Generator<ArchiveRecord> {
    if (this.#last !== null) yield { t: 'command', seed: 1, kind: '', ...this.#last }
  }
}
