import type { ReactNode } from 'react'
import { areOfTwoNodes } from '../../../client/nodes.ts'
import { isFileSource } from '../../../client/state.ts'
import { useView } from '../../../client/view.ts'
import { chosenKey } from '../chosen.ts'
import type { Composed } from '../useComposed.ts'
import { describeAlignment } from './alignment.ts'

/** Sentences on the clocks of what stands on one axis; nothing where all of it is of one clock. */
export function ClocksOfLanes({ composed: { lanes, readings } }: { readonly composed: Composed }): ReactNode {
  const { sources } = useView().view
  const sentences = new Map<string, string>()
  for (const lane of lanes) {
    const alignment = readings.get(chosenKey(lane))?.alignment ?? null
    if (lane.server !== null && alignment !== null)
      sentences.set(lane.server, describeAlignment(lane.server, alignment))
  }
  const shown = lanes.flatMap(({ source, server }) => (source === null ? (server === null ? sources : []) : [source]))
  const files = shown.filter(isFileSource)
  const isMixed = files.length < shown.length || sentences.size > 0
  if (files.length > 0 && (isMixed || files.some((file) => areOfTwoNodes(file, files[0] ?? ''))))
    sentences.set('', 'Times of files are as their servers wrote them: their clocks cannot be compared.')
  if (sentences.size === 0) return null
  return (
    <section className="stack" aria-label="Clocks of the lanes">
      {[...sentences.values()].map((sentence) => (
        <p key={sentence} className="note">
          {sentence}
        </p>
      ))}
    </section>
  )
}
