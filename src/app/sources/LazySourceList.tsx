import { Suspense, type ComponentProps, type ReactNode } from 'react'
import { lazyPanel } from '../../ui/lazyPanel.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { PanelBoundary } from '../shell/PanelBoundary.tsx'
import type { SourceList } from './SourceList.tsx'

type Props = ComponentProps<typeof SourceList>

/** Its table is not in the first picture: it comes with a click, or where nothing is chosen yet. */
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
