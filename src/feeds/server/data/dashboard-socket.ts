import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { SocketControl } from '../../../ravendb/sockets/sockets.ts'
import type { CloseReason, SocketPhase } from '../../../ravendb/sockets/socket-events.ts'
import { StaleFrames } from '../../../ravendb/sockets/stale-frames.ts'
import { AUDIENCE, type CollectingHost } from './polling.ts'
import { JUST_READ_MS, PER_DATABASE, WIDGETS, type WidgetType } from './wire/widgets.ts'

/**
 * Length, in characters, above which frames of widgets that list databases (some 800 databases) are received only every
 * `LARGE_EVERY_MS`.
 */
const LARGE_FRAME = 200_000
export const LARGE_EVERY_MS = 30_000

/** Time after which a figure that the server reads again is ready, ms. */
const READ_AGAIN_MS = 1000
/** Widget whose frames have what the server read for the one before: a minute ago, or before any client listened. */
const KEPT_WIDGET = 'StorageUsage'
/** Time after which a busy server, too, has read it again, ms; above the 3 s for which it keeps the list of databases. */
const KEPT_AGAIN_MS = 5000

export interface DashboardSpec {
  /** Tag of the node; null: the node that this page is connected to. */
  readonly node: string | null
  readonly tag: string
  readonly widgets: readonly WidgetType[]
  readonly isVital: boolean
  /** Runs a function later, unless collecting ends before that. */
  readonly later: (delayMs: number, run: () => void) => void
}

export interface DashboardEvents {
  readonly onPhase: (phase: SocketPhase) => void
  readonly onClosed?: (reason: CloseReason) => void
  /** Called when the socket opens again after a loss: the same server may be back, or another one in its place. */
  readonly onBack?: () => void
}

/** Socket of one node's dashboard, and the widgets that are subscribed to on it. */
export class Dashboard {
  readonly tag: string
  readonly #spec: DashboardSpec
  readonly #socket: SocketControl
  readonly #widgets: Set<WidgetType>
  readonly #stale = new StaleFrames()
  readonly #slowed = new Set<WidgetType>()
  #keptMs = Number.NEGATIVE_INFINITY
  #wasGone = false

  constructor({ governor, isRecording, take }: CollectingHost, spec: DashboardSpec, events: DashboardEvents) {
    const { node, tag, isVital } = spec
    this.tag = tag
    this.#spec = spec
    this.#widgets = new Set(spec.widgets)
    this.#socket = this.#open(
      governor,
      isRecording,
      {
        onPhase: (phase) => {
          events.onPhase(phase)
          if (phase.phase !== 'open') return
          this.#begin()
          if (this.#wasGone) events.onBack?.()
          this.#wasGone = false
        },
        onFrame: (text, atMs) => {
          if (this.#stale.isStale(text)) return
          const type = take({ kind: 'frame', node, text, atMs })
          if (text.length > LARGE_FRAME && type !== null) this.#slow(type)
          if (type === KEPT_WIDGET) this.#readAgain(atMs)
        },
        onClosed: (_, reason) => {
          if (reason !== 'paused-by-rookery') this.#wasGone = true
          events.onClosed?.(reason)
        },
      },
      isVital,
    )
  }

  get isSlowed(): boolean {
    return this.#slowed.size > 0
  }

  close(): void {
    this.#socket.close()
  }

  /** Subscribes to a widget, or ends the subscription. */
  want(type: WidgetType, isWanted: boolean): void {
    if (this.#widgets.has(type) === isWanted) return
    if (isWanted) this.#widgets.add(type)
    else this.#widgets.delete(type)
    // Sends nothing before the socket is open; opening it subscribes to all wanted widgets.
    this.#command(isWanted ? 'watch' : 'unwatch', type)
  }

  /**
   * Reads a widget that is not subscribed to. The server sends one that it has kept, and reads again for the next: thus
   * twice.
   */
  readNow(type: WidgetType): void {
    for (const delayMs of [0, READ_AGAIN_MS])
      this.#spec.later(delayMs, () => {
        if (this.#widgets.has(type)) return
        this.#command('watch', type)
        this.#spec.later(READ_AGAIN_MS / 2, () => this.#command('unwatch', type))
      })
  }

  /** Renews the watch of a widget that sent what it had kept: the server has read it again since. */
  #readAgain(atMs: number): void {
    const isKept = atMs - this.#keptMs > JUST_READ_MS
    this.#keptMs = atMs
    if (!isKept || !this.#widgets.has(KEPT_WIDGET)) return
    this.#spec.later(KEPT_AGAIN_MS, () => {
      if (!this.#widgets.has(KEPT_WIDGET)) return
      this.#command('unwatch', KEPT_WIDGET)
      this.#command('watch', KEPT_WIDGET)
    })
  }

  #open(
    governor: Governor,
    isRecording: () => boolean,
    handlers: Parameters<Governor['openSocket']>[2],
    isVital: boolean,
  ): SocketControl {
    const options = { inBackground: isRecording, isKept: true, vital: isVital, audience: AUDIENCE }
    return governor.openSocket('clusterDashboard', { node: this.tag }, handlers, options)
  }

  #begin(): void {
    this.#slowed.clear()
    this.#stale.opened()
    for (const type of this.#widgets) this.#command('watch', type)
  }

  /**
   * Slows a widget with large frames down. A widget sends a frame as soon as it is watched, so it is watched for one
   * frame at a time.
   */
  #slow(type: WidgetType | 'ServerTime'): void {
    if (type === 'ServerTime' || !PER_DATABASE.includes(type)) return
    this.#slowed.add(type)
    this.#command('unwatch', type)
    this.#spec.later(LARGE_EVERY_MS, () => {
      if (this.#slowed.has(type)) this.#command('watch', type)
    })
  }

  #command(command: 'watch' | 'unwatch', type: WidgetType): void {
    const id = WIDGETS.indexOf(type) + 1
    this.#socket.send(
      JSON.stringify(
        command === 'watch' ? { Command: command, Id: id, Type: type, Config: null } : { Command: command, Id: id },
      ),
    )
  }
}
