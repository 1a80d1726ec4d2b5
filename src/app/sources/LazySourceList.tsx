import { Suspense, type ComponentProps, type ReactNode } from 'react'
import { lazyPanel } from '../../ui/lazyPanel.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { PanelBoundary } from '../shell/PanelBoundary.tsx'
import type { SourceList } from './SourceList.tsx'

type Props = ComponentProps<typeof SourceList>

/** Loaded on a click, or if nothing is chosen: the first picture does not need its table. */
const { Component: LazyList } = lazyPanel<Props>(() =>
  import('./SourceList.tsx').then((module) => ({ default: module.SourceList })),
)

export function LazySourceList(props: Props): ReactNode {
  return (
    <PanelBoundary what="The list of databases">
      <Suspense fallback={<Spinner>Reading the list of databases</Spinner>}>
        <LazyList {...props} />
      </Suspense>
    </PanelBoundary>
  )
}
