import { CaptureHost } from '../capture/host.ts'
import type { Command } from '../capture/protocol.ts'
import { realEnv } from '../ravendb/env.ts'
import { createFeeds } from './feeds.ts'

let host: CaptureHost | null = null

self.onmessage = ({ data }: MessageEvent<Command>) => {
  if (data.type === 'start') {
    host ??= new CaptureHost(createFeeds(), realEnv(data.baseUrl), (report, transfer) =>
      self.postMessage(report, transfer),
    )
    return
  }
  host?.receive(data)
}
