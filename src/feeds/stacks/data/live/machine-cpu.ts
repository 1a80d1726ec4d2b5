import type { Governor } from '../../../../ravendb/governor/governor.ts'

/**
 * CPU of the whole machine. The list of threads does not report it: its `CpuUsage` is the sum of its own threads, on all of
 * 5.4, 6.2 and 7.1. The server's dashboard does, about once a second.
 */
export interface MachineCpu {
  /** Keeps the source open for the next half minute. */
  readonly want: (governor: Governor) => void
  /**
   * Newest CPU in percent of all cores of the machine, with its server time, and the number of cores that the server sees;
   * null: none yet.
   */
  readonly newest: () => { readonly atTicks: number; readonly percent: number; readonly cores: number | null } | null
}

/** For a machine whose CPU is not reported. */
export const NO_MACHINE_CPU: MachineCpu = { want: () => {}, newest: () => null }
