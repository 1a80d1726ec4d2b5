import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { TICKS_PER_SECOND, type TickSpan, type TimeRange } from '../base/ticks.ts'
import type { CaptureClient } from '../capture/client/client.ts'
import { createQueryClient } from '../capture/client/requests/queries.ts'
import { EMPTY_STATE } from '../capture/client/remote.ts'
import type { SampleReport, SampleRequest } from '../capture/client/sample.ts'
import { newState } from '../capture/client/source-state.ts'
import { parseSourceId, type CaptureState, type SourceId } from '../capture/client/state.ts'
import { CaptureContext, ViewContext, type ViewStore } from '../capture/client/view.ts'
import { PanelsContext, type PanelDefinition } from '../capture/frame/panel.ts'
import { wasNotFetched } from '../ui/not-fetched.ts'
import styles from './warm-up.module.css'

type PageSizes = Pick<CaptureClient, 'laidOut' | 'sizesOf'>

/** Time, ms, after which the panel is removed; its code has run by then. */
const MOST_MS = 1500
/** Number of frames without a request after which the picture counts as complete. */
const QUIET_FRAMES = 6

/**
 * Renders a panel once, invisibly, with the worker's small sample, so that its code is compiled: this takes as long as
 * drawing the file that a user opens. `page` learns the size of the panel. Resolves when the panel is removed; at once
 * when `signal` is aborted.
 */
export async function warmUpPage(
  page: PageSizes,
  port: MessagePort,
  panel: PanelDefinition,
  panels: readonly PanelDefinition[],
  signal: AbortSignal,
): Promise<void> {
  const sample = new SampleClient(port)
  // A worker that is reading a file by then does not respond.
  const ready = await Promise.race([sample.ready, aborted(signal)])
  if (ready === null || signal.aborted) return sample.close()
  const { source, extent } = ready
  const place = document.createElement('div')
  place.className = styles.place ?? ''
  place.inert = true
  place.setAttribute('aria-hidden', 'true')
  // The place of the real panel, so that the layout is the same.
  const box = document.querySelector('main')?.getBoundingClientRect()
  if (box !== undefined)
    Object.assign(place.style, {
      left: `${box.left}px`,
      top: `${box.top}px`,
      width: `${box.width}px`,
      height: `${box.height}px`,
    })
  document.body.append(place)
  const root = createRoot(place, {
    identifierPrefix: 'warm-up',
    onUncaughtError: (error) => {
      // Code that cannot be loaded while its server is gone: a panel that the user opens reports it.
      if (!wasNotFetched(error)) reportError(error)
    },
  })
  root.render(<Sample capture={sample.client(page, source, extent)} source={source} panel={panel} panels={panels} />)
  await sample.quiet(signal)
  root.unmount()
  place.remove()
  sample.close()
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })

interface SampleProps {
  readonly capture: CaptureClient
  readonly source: SourceId
  readonly panel: PanelDefinition
  readonly panels: readonly PanelDefinition[]
}

function Sample({ capture, source, panel, panels }: SampleProps): ReactNode {
  const { Component } = panel
  return (
    <QueryClientProvider client={createQueryClient()}>
      <CaptureContext value={capture}>
        <PanelsContext value={panels}>
          <ViewContext value={storeOf(source)}>
            <Suspense>
              <Component panel={panel} />
            </Suspense>
          </ViewContext>
        </PanelsContext>
      </CaptureContext>
    </QueryClientProvider>
  )
}

const storeOf = (source: SourceId): ViewStore => ({
  view: {
    sources: [source],
    database: null,
    range: null,
    liveSpan: (60 * TICKS_PER_SECOND) as TickSpan,
    selection: null,
    clock: 'local',
    params: {},
  },
  change: () => undefined,
  open: () => undefined,
  href: () => '#',
})

interface Ready {
  readonly source: SourceId
  readonly extent: TimeRange
}

/** The page's end of the port. */
class SampleClient {
  readonly ready: Promise<Ready>
  readonly #port: MessagePort
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  #nextId = 1

  constructor(port: MessagePort) {
    this.#port = port
    this.ready = new Promise((resolve) => {
      port.onmessage = ({ data }: MessageEvent<SampleReport>) => {
        if (data.type === 'ready') {
          resolve(data)
          return
        }
        const waiting = this.#waiting.get(data.id)
        this.#waiting.delete(data.id)
        if (data.type === 'response') waiting?.resolve(data.value as never)
        else waiting?.reject(new Error(data.message))
      }
    })
  }

  /** Client that handles only requests and sizes. */
  client({ laidOut, sizesOf }: PageSizes, source: SourceId, extent: TimeRange): CaptureClient {
    const state = stateOf(source, extent)
    const nothing = (): void => undefined
    return {
      getState: () => state,
      subscribe: () => nothing,
      watch: nothing,
      retryNow: nothing,
      openFiles: nothing,
      laidOut,
      sizesOf,
      cancelFile: nothing,
      setHidden: nothing,
      setFront: nothing,
      idle: () => Promise.resolve(),
      request: (name, params) =>
        new Promise((resolve, reject) => {
          const id = this.#nextId++
          this.#waiting.set(id, { resolve, reject })
          this.#port.postMessage({ id, name, params } satisfies SampleRequest)
        }),
    }
  }

  /** Resolves when everything requested is drawn, `signal` is aborted, or it takes too long. */
  async quiet(signal: AbortSignal): Promise<void> {
    const endMs = performance.now() + MOST_MS
    for (let quiet = 0, lastId = 0; quiet < QUIET_FRAMES && !signal.aborted && performance.now() < endMs; quiet++) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      const isBusy = this.#waiting.size > 0 || this.#nextId === 1 || lastId !== this.#nextId
      if (isBusy) quiet = 0
      lastId = this.#nextId
    }
  }

  close(): void {
    this.#port.close()
  }
}

const stateOf = (source: SourceId, extent: TimeRange): CaptureState => ({
  ...EMPTY_STATE,
  version: 1,
  extent,
  sources: [newState(source, parseSourceId(source) ?? { kind: 'server' }, 'read', 0)],
})
