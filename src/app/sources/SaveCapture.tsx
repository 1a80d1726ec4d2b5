import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { hostOfServer } from '../../base/http/stand-alone.mjs'
import { formatBytes, formatCount, formatPlural } from '../../base/text/format.ts'
import { placesOf, type SaveParams } from '../../capture/archive/saved-capture.ts'
import { useAttempt } from '../../capture/client/requests/useAttempt.ts'
import type { CaptureState } from '../../capture/client/state.ts'
import { useCapture } from '../../capture/client/view.ts'
import { exportJobs, type ExportJob } from '../../capture/exporting/export-jobs.ts'
import { exportFileName } from '../../capture/exporting/file-name.ts'
import { AttemptFailure } from '../../capture/frame/notices/AttemptFailure.tsx'
import type { HeldRows } from '../../features/archive/contract.ts'
import { formatPresets, PresetStore } from '../../features/timeline/view/presets.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import { chooseSaveTarget } from '../../ui/save.ts'
import type { Address } from '../url/url.ts'
import { lanesOfOthers, savedAddress } from './saved-view.ts'

/** Bytes of a row in the file, measured on a recorded hour under load. */
const EVENT_BYTES = 14
const BATCH_BYTES = 400
const SAMPLE_BYTES = 9
const LINE_BYTES = 60
/** A thread with its share of a stack; snapshots are not compressed. */
const THREAD_BYTES = 900

const bytesOf = ({ events, batches, samples, lines, threads }: HeldRows): number =>
  events * EVENT_BYTES + batches * BATCH_BYTES + samples * SAMPLE_BYTES + lines * LINE_BYTES + threads * THREAD_BYTES

/** Contents of the file in words. What only some pages have is named only then. */
function contentsOf({ events, batches, samples, lines, snapshots }: HeldRows): string {
  return [
    formatPlural(events, 'I/O event'),
    formatPlural(batches, 'index batch', 'index batches'),
    `${formatPlural(samples, 'sample')} of figures`,
    ...(snapshots > 0 ? [formatPlural(snapshots, 'stack snapshot')] : []),
    ...(lines > 0 ? [`${formatPlural(lines, 'line')} of logs`] : []),
  ].join(', ')
}

export interface SaveCaptureProps extends Address {
  readonly onClose: () => void
}

/** Dialog that saves everything that the page has, with the current view, as one file. */
export default function SaveCapture({ panel, view, onClose }: SaveCaptureProps): ReactNode {
  const capture = useCapture()
  // Taken once, so that sources and view are those of the click.
  const [params] = useState(() => paramsOf(capture.getState(), { panel, view }))
  const others = lanesOfOthers(view)
  const [held, setHeld] = useState<HeldRows | null>(null)
  const { attempt, failure } = useAttempt()
  const jobs = exportJobs(capture)
  const job = useSyncExternalStore(jobs.subscribe, jobs.getSnapshot)
  const ours = job?.exporter === 'archive.capture' ? job : null
  useEffect(() => {
    const abort = new AbortController()
    const { places, range } = params
    void attempt('The rows could not be counted', async () =>
      setHeld(await capture.request('archive.held', { places, range }, abort.signal)),
    )
    return () => abort.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: the parameters are those of the opening
  }, [])
  const save = async (): Promise<void> => {
    if (held === null) return
    const fileName = exportFileName({ what: 'capture', of: '', at: params.range.startTicks, extension: 'rookery' })
    const expectedBytes = bytesOf(held)
    const target = await chooseSaveTarget({ name: fileName, mediaType: 'application/octet-stream', expectedBytes })
    if (target === null) return
    jobs.dismiss()
    await jobs.start({ exporter: 'archive.capture', params, fileName, target })
  }
  const close = (): void => {
    jobs.dismiss()
    onClose()
  }
  return (
    <Dialog
      title="Save capture"
      onClose={close}
      actions={
        <>
          <Button onClick={ours?.phase === 'running' ? jobs.stop : close}>
            {ours?.phase === 'running' ? 'Stop' : 'Close'}
          </Button>
          <Button
            tone="primary"
            icon="export"
            disabled={held === null || job?.phase === 'running'}
            onClick={() => void attempt('Not saved', save)}
          >
            Save capture
          </Button>
        </>
      }
    >
      <div className="stack">
        <p role="status">
          {held === null
            ? 'Counting …'
            : `${formatPlural(params.places.length, 'source')}: ${contentsOf(held)}, ${formatPlural(params.gaps.length, 'gap')}; about ${formatBytes(bytesOf(held))}.`}
        </p>
        <p className="note">
          One file that opens on any page of Rookery to this picture: sources, range, selection, lanes, their presets,
          findings, notifications, slow queries and stack snapshots. Texts of queries, errors and logs are without what
          looks like a password, a key or a token. Documents, and responses of debug packages other than their events,
          batches and stacks, are not in it.
        </p>
        {others === 0 ? null : (
          <p className="note">
            {formatPlural(others, 'lane')} of other servers {others === 1 ? 'is' : 'are'} left out: this page does not
            hold what {others === 1 ? 'it shows' : 'they show'}.
          </p>
        )}
        {ours === null ? null : <p role={ours.phase === 'failed' ? 'alert' : 'status'}>{wordsOf(ours)}</p>}
        <AttemptFailure of={failure} />
      </div>
    </Dialog>
  )
}

function wordsOf({ phase, rows, totalRows, bytes, fileName, message }: ExportJob): string {
  if (phase === 'running')
    return `Saving: ${formatPlural(rows, 'row')}${totalRows === null ? '' : ` of ${formatCount(totalRows)}`}.`
  if (phase === 'done') return `Saved ${fileName}, ${formatBytes(bytes)}. Dropped on Rookery, it opens to this picture.`
  return phase === 'stopped' ? 'Stopped: nothing was saved.' : message
}

/** Everything that is open, and the range in view. */
function paramsOf(state: CaptureState, address: Address): SaveParams {
  const places = placesOf(
    state.sources.map(({ id }) => id),
    hostOfServer(state.server?.url ?? globalThis.location.origin),
  )
  const endTicks = state.nowTicks ?? state.extent?.endTicks ?? address.view.range?.endTicks
  const range = address.view.range ?? {
    startTicks: ((endTicks ?? 0) - address.view.liveSpan) as SaveParams['range']['startTicks'],
    endTicks: (endTicks ?? 0) as SaveParams['range']['endTicks'],
  }
  const known = state.extent ?? range
  return {
    address: savedAddress({ ...address, view: { ...address.view, range } }, places),
    presets: formatPresets(new PresetStore().presets.get()),
    places,
    gaps: state.gaps,
    range: {
      startTicks: Math.min(known.startTicks, range.startTicks) as SaveParams['range']['startTicks'],
      endTicks: Math.max(known.endTicks, range.endTicks) as SaveParams['range']['endTicks'],
    },
  }
}
