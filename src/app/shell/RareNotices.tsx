import type { ReactNode } from 'react'
import { ClockNotice } from './ClockNotice.tsx'
import { WorkerNotice } from './WorkerNotice.tsx'

/** Notices that most pages never show; their code is not part of the first load. */
export default function RareNotices({ clocksDifferMs }: { readonly clocksDifferMs: number }): ReactNode {
  return (
    <>
      <WorkerNotice />
      <ClockNotice leastMs={clocksDifferMs} />
    </>
  )
}
