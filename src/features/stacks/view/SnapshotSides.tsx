import type { ReactNode } from 'react'
import { Notice } from '../../../ui/Notice.tsx'
import { toggled } from './params.ts'
import { SnapshotSelect, SnapshotSteps } from './SnapshotSelect.tsx'
import { WaitSummary } from './threads/WaitSummary.tsx'
import type { StacksView } from './useStacksView.ts'
import { countWaits } from './words.ts'

/** Choice of the snapshots in view and of those they are compared with, and the waits of their threads. */
export function SnapshotSides({ view }: { readonly view: StacksView }): ReactNode {
  const { snapshots, chosen, against, settings, clock, viewport, jobs, set } = view
  return (
    <>
      <div className="row">
        <SnapshotSelect
          label="Look at"
          snapshots={snapshots}
          clock={clock}
          choice={settings.of}
          range={viewport.range}
          count={chosen.length}
          onChange={(of) => set({ of: of ?? { type: 'latest' } }, true)}
        />
        {snapshots.length === 1 && settings.against === null ? null : (
          <>
            <SnapshotSteps snapshots={snapshots} chosen={chosen} onChange={(of) => set({ of })} />
            <SnapshotSelect
              label="Compare with"
              snapshots={snapshots}
              clock={clock}
              choice={settings.against}
              range={viewport.range}
              count={against.length}
              none="Nothing"
              onChange={(next) => set({ against: next }, true)}
            />
          </>
        )}
        <WaitSummary
          counts={countWaits(jobs)}
          chosen={settings.waits}
          onToggle={(kind) => set({ waits: toggled(settings.waits, kind) })}
        />
      </div>
      {chosen.length > 0 ? null : (
        <Notice tone="info" title="None of the snapshots that are held is the one of this link or range">
          <p>Choose one above. Snapshots stay in this page only; export them to keep them.</p>
        </Notice>
      )}
      {settings.against !== null && against.length === 0 ? (
        <Notice tone="info" title="There is no snapshot to compare with" />
      ) : null}
    </>
  )
}
