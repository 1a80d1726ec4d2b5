import type { ReactNode } from 'react'
import { Suspense, useState } from 'react'
import { useView } from '../../capture/client/view.ts'
import { StateDot, type Tone } from '../../ui/Badge.tsx'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { lazyPanel } from '../../ui/lazyPanel.tsx'
import { describeSource, labelOf } from '../describe.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import type { PanelId, SourceScope } from '../../capture/client/panels.ts'
import type { SourceState } from '../../capture/client/state.ts'
import type { SaveCaptureProps } from './SaveCapture.tsx'
import type { SourcePickerProps } from './SourcePicker.tsx'
import styles from './sources.module.css'
import { cx } from '../../ui/theme/cx.ts'

const { Component: SourcePicker } = lazyPanel<SourcePickerProps>(() => import('./SourcePicker.tsx'))

const { Component: SaveCapture } = lazyPanel<SaveCaptureProps>(() => import('./SaveCapture.tsx'))

const BESIDE = { tone: 'idle', word: '' } as const

/** Whether a narrow page shows the dot of a state alone: it passes, or the panel and the foot of the page explain it. */
const isInBrief = (tone: Tone, source: SourceState | undefined): boolean =>
  tone === 'busy' || source === undefined || source.phase === 'paused-by-rookery'

interface SourceBarProps {
  readonly panel: PanelId
  readonly scope: SourceScope
  /** Called when the user removed the last source. */
  readonly onEmptied: () => void
}

/** Sources in view, each as a chip with its state, and a button for more. */
export function SourceBar({ panel, scope, onEmptied }: SourceBarProps): ReactNode {
  const store = useView()
  const state = useCaptureState()
  const [picking, setPicking] = useState(false)
  const [saving, setSaving] = useState(false)
  const { sources } = store.view

  return (
    <section className={cx('row', styles.sources)} aria-label="Sources">
      {sources.map((id) => {
        const source = state.sources.find((each) => each.id === id)
        // A panel of the whole server shows it, whether or not this can be watched.
        const isBeside = scope === 'server' && source?.ref.kind !== 'file'
        const { tone, word } = isBeside ? BESIDE : describeSource(source)
        return (
          <span key={id} className={cx('raised', 'inline', styles.chip)} title={isBeside ? undefined : source?.message}>
            <StateDot tone={tone}>
              <bdi>{labelOf(id)}</bdi>{' '}
              {tone === 'ok' ? (
                <span className="spoken">{word}</span>
              ) : (
                <em className={cx(isInBrief(tone, source) && styles.underway)}>{word}</em>
              )}
            </StateDot>
            <IconButton
              small
              icon="close"
              label={`Remove ${labelOf(id)}`}
              onClick={() => {
                store.change({ sources: sources.filter((each) => each !== id) }, { push: true })
                if (sources.length === 1) onEmptied()
              }}
            />
          </span>
        )
      })}
      <Button small tone="quiet" icon="add" onClick={() => setPicking(true)}>
        Change
      </Button>
      <Button
        small
        tone="quiet"
        icon="export"
        title="Save all that this page holds, with this picture, as one file"
        onClick={() => setSaving(true)}
      >
        Save capture
      </Button>
      {saving ? (
        <Suspense fallback={null}>
          <SaveCapture panel={panel} view={store.view} onClose={() => setSaving(false)} />
        </Suspense>
      ) : null}
      {picking ? (
        <Suspense fallback={null}>
          <SourcePicker onClose={() => setPicking(false)} />
        </Suspense>
      ) : null}
    </section>
  )
}
