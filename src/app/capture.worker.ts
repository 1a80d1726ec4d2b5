import { CaptureHost } from '../capture/host.ts'
import type { Command } from '../capture/protocol.ts'
import { realEnv } from '../ravendb/env.ts'
import { createFeeds } from './feeds.ts'

/** Beyond the first picture, ms. */
const PRELOAD_AFTER_MS = 4000

let host: CaptureHost | null = null

self.onmessage = ({ data }: MessageEvent<Command>) => {
  if (data.type === 'start') {
    host ??= new CaptureHost(createFeeds(), realEnv(data.baseUrl), (report, transfer) =>
      self.postMessage(report, transfer),
    )
    setTimeout(() => void host?.preload(), PRELOAD_AFTER_MS)
    return
  }
  host?.receive(data)
}
