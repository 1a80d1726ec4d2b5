import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { Segmented } from '../../ui/controls/Segmented.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { withoutPackage } from '../client/packages.ts'
import type { SourceId } from '../client/state.ts'
import { useCaptureState } from '../client/useCaptureState.ts'
import { useView } from '../client/view.ts'
import type { PackagedProps } from './panel.ts'
import { PanelFrame } from './PanelFrame.tsx'

export interface RecordedNode {
  /** Name as in folders of the archive. */
  readonly node: string
  readonly sources: readonly SourceId[]
}

interface RecordedPanelProps extends PackagedProps {
  readonly className?: string | undefined
  /** Rendered with the shown server; another server starts with a new state. */
  readonly children: (server: RecordedNode) => ReactNode
}

/** Panel about one server of a recording, with a choice of the server and a link back to the live one. */
export function RecordedPanel({ panel, file, className, children }: RecordedPanelProps): ReactNode {
  const state = useCaptureState()
  const { view, change } = useView()
  const place = `file:${file}/`
  const own = state.sources.flatMap(({ id }) => (id.startsWith(place) ? [id] : []))
  const nodeOf = (source: SourceId): string => source.slice(place.length).split('/')[0] ?? ''
  const nodes = [...new Set(own.map(nodeOf))].toSorted()
  const chosen = view.sources.find((id) => own.includes(id))
  const node = chosen === undefined ? nodes[0] : nodeOf(chosen)
  const sources = own.filter((id) => nodeOf(id) === node)
  return (
    <PanelFrame panel={panel} className={className}>
      {nodes.length < 2 || node === undefined ? null : (
        <Segmented
          label="Server of the recording"
          options={nodes.map((value) => ({ value, text: value }))}
          value={node}
          onChange={(next) => change({ sources: own.filter((id) => nodeOf(id) === next) }, { push: true })}
        />
      )}
      {node === undefined ? <Spinner>Reading the recording</Spinner> : children({ node, sources })}
      <ToLiveServer file={file} />
    </PanelFrame>
  )
}

/** Link from a recording to the live server; nothing if none answers. */
export function ToLiveServer({ file }: { readonly file: string }): ReactNode {
  const { server } = useCaptureState()
  const { view, change } = useView()
  if (server === null) return null
  return (
    <p className="row">
      <Button
        small
        onClick={() => change({ sources: withoutPackage(view.sources, file), range: null }, { push: true })}
      >
        Show the live server
      </Button>
    </p>
  )
}
