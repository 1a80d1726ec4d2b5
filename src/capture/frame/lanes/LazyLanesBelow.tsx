import { Suspense, type ReactNode } from 'react'
import { FetchBoundary } from '../../../ui/FetchBoundary.tsx'
import { lazyPanel } from '../../../ui/lazyPanel.tsx'
import { AXIS_PX } from '../../../charts/timeline/axis-picture.ts'
import { ASSUMED_PX } from './chosen.ts'
import type { LanesBelowProps } from './LanesBelow.tsx'

const { Component: LanesBelow } = lazyPanel(() => import('./LanesBelow.tsx'))

/** Height of the line of tools below the lanes, with the gap above it, px. */
const TOOLS_PX = 36

/** Height of the preset lanes, px, so that what is below them stays where it is when they come. */
const presetPx = ({ preset, onWidth }: LanesBelowProps): number =>
  preset.length * ASSUMED_PX + (onWidth === undefined ? 0 : AXIS_PX) + TOOLS_PX

/** `LanesBelow`, whose code is fetched after that of its panel. */
export function LazyLanesBelow(props: LanesBelowProps): ReactNode {
  return (
    <FetchBoundary what="The lanes below">
      <Suspense fallback={<div style={{ height: presetPx(props) }} />}>
        <LanesBelow {...props} />
      </Suspense>
    </FetchBoundary>
  )
}
