import { Suspense, type ReactNode } from 'react'
import { FetchBoundary } from '../../../ui/FetchBoundary.tsx'
import { lazyPanel } from '../../../ui/lazyPanel.tsx'
import type { LanesBelowProps } from './LanesBelow.tsx'

const { Component: LanesBelow } = lazyPanel(() => import('./LanesBelow.tsx'))

/** `LanesBelow`, whose code is fetched after that of its panel. */
export function LazyLanesBelow(props: LanesBelowProps): ReactNode {
  return (
    <FetchBoundary what="The lanes below">
      <Suspense fallback={null}>
        <LanesBelow {...props} />
      </Suspense>
    </FetchBoundary>
  )
}
