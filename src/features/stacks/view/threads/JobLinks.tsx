import type { ReactNode } from 'react'
import { sourceId } from '../../../../capture/client/state.ts'
import type { LinkParams, PanelId } from '../../../../capture/client/panels.ts'
import { useView } from '../../../../capture/client/view.ts'
import type { Job } from '../../../../feeds/stacks/contract/jobs.ts'
import styles from './card.module.css'
import { cx } from '../../../../ui/theme/cx.ts'
import type {} from '../../../../feeds/indexing/contract.ts'
import type {} from '../../../../feeds/io/contract.ts'

/** Links from a thread to the index or I/O that it works for, with the same range of time. */
export function JobLinks({ job }: { readonly job: Job }): ReactNode {
  const { view, href } = useView()
  if (job.database === null || job.isCut) return null
  const source = sourceId({ kind: 'database', name: job.database })
  const sources = view.sources.includes(source) ? view.sources : [...view.sources, source]
  const to = (panel: PanelId, params: LinkParams): string => href(panel, { sources, selection: null, params })
  const find = job.kind === 'index' ? (job.name ?? '') : job.kind === 'merger' ? 'Documents' : ''
  if (find === '') return null
  return (
    <p className={cx('wrap', styles.links)}>
      {job.kind === 'index' ? <a href={to('indexing', { 'indexing.find': find })}>Its indexing over time</a> : null}
      <a href={to('io', { 'io.find': find })}>Its I/O over time</a>
    </p>
  )
}
