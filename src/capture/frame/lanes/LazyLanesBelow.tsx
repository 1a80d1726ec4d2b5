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

/** Whether there are lanes that continue the timeline of a panel. */
const isBelow = ({ preset, onWidth }: LanesBelowProps): boolean => preset.length > 0 && onWidth === undefined

/** Room of the preset lanes, marked as such: panels with lanes below are laid out differently from the beginning. */
const Awaited = (props: LanesBelowProps): ReactNode => (
  <div style={{ height: presetPx(props) }} data-lanes={isBelow(props) ? '' : undefined} />
)

/** `LanesBelow`, whose code is fetched after that of its panel. */
export function LazyLanesBelow(props: LanesBelowProps): ReactNode {
  return (
    <FetchBoundary what="The lanes below">
      <Suspense fallback={<Awaited {...props} />}>
        <LanesBelow {...props} />
      </Suspense>
    </FetchBoundary>
  )
}
