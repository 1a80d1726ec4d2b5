import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { serverPathOf } from '../../base/http/stand-alone.mjs'
import { Observed } from '../../base/observed.ts'
import type { CaptureClient } from '../../capture/client/client.ts'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { useCapture } from '../../capture/client/view.ts'
import type { Access } from '../access.ts'
import type { ActionFacts, ActionTarget } from '../model.ts'
import { type ActivityEntry } from './activity-entry.ts'
import { ActivityLog, type Keeping } from './activity-log.ts'
import { ConfirmationStore, type PendingConfirmation } from './confirmation.ts'
import { factsNow } from './facts-now.ts'
import { ActionRunner, type RunnerEnv } from './action-runner.ts'
import { Queues, type Queue } from './queues.ts'
import { ViewOnlyMode, type ViewOnlyState } from './view-only.ts'

/** State that the actions of a page share. */
export interface ActionSession {
  readonly log: ActivityLog
  readonly runner: ActionRunner
  readonly viewOnly: ViewOnlyMode
  readonly confirmation: ConfirmationStore
  readonly queues: Queues
  /** Number of actions that the server has refused for lack of a right. */
  readonly forbidden: Observed<number>
  /** Ids of entries whose notice is closed: by the user, or because a panel shows the result at its place. */
  readonly closedNotices: Observed<ReadonlySet<string>>
  /** Current facts about a target; null: not known. */
  readonly factsNow: (target: ActionTarget) => Promise<ActionFacts | null>
}

const sessions = new WeakMap<CaptureClient, ActionSession>()

export function sessionOf(client: CaptureClient): ActionSession {
  const known = sessions.get(client)
  if (known !== undefined) return known
  const log = new ActivityLog()
  const viewOnly = new ViewOnlyMode(client)
  const forbidden = new Observed(0)
  const session = {
    log,
    viewOnly,
    forbidden,
    closedNotices: new Observed<ReadonlySet<string>>(new Set()),
    confirmation: new ConfirmationStore(),
    queues: new Queues(),
    runner: new ActionRunner(
      client,
      log,
      browserEnv(() => forbidden.set(forbidden.get() + 1)),
      viewOnly.apply,
    ),
    factsNow: (target: ActionTarget) => factsNow(client, target),
  }
  sessions.set(client, session)
  return session
}

export const useSession = (): ActionSession => sessionOf(useCapture())

/** Actions of this browser, on every server at this address. */
export function useActivity(): readonly ActivityEntry[] {
  const { log } = useSession()
  return useSyncExternalStore(log.subscribe, log.getSnapshot)
}

/** Closes the notice of an entry; the activity keeps it. */
export function closeNotice({ closedNotices }: ActionSession, id: string): void {
  closedNotices.set(new Set([...closedNotices.get(), id]))
}

/** Ids of entries whose notice is closed. */
export function useClosedNotices(): ReadonlySet<string> {
  const { closedNotices } = useSession()
  return useSyncExternalStore(closedNotices.subscribe, closedNotices.get)
}

/** Groups of calls that this page has not sent completely. */
export function useQueues(): readonly Queue[] {
  const { queues } = useSession()
  return useSyncExternalStore(queues.subscribe, queues.getSnapshot)
}

/** Makes the browser warn before leaving while something runs that ends with this page. */
export function useLeaveGuard(): void {
  const { bound } = useSession().runner
  const isBound = useSyncExternalStore(bound.subscribe, () => bound.get() > 0)
  useEffect(() => {
    if (!isBound) return undefined
    const leaving = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', leaving)
    return () => removeEventListener('beforeunload', leaving)
  }, [isBound])
}

/** Whether entries outlast this page. */
export function useKeeping(): Keeping {
  const { log } = useSession()
  return useSyncExternalStore(log.subscribeKeeping, log.getKeeping)
}

/** Choice that waits for confirmation; null: none. */
export function usePendingConfirmation(): PendingConfirmation | null {
  const { confirmation } = useSession()
  return useSyncExternalStore(confirmation.subscribe, confirmation.getSnapshot)
}

/** View-only state; null: not known yet, so that nothing is sent. */
export function useViewOnly(): ViewOnlyState | null {
  const { viewOnly } = useSession()
  return useSyncExternalStore(viewOnly.subscribe, viewOnly.getSnapshot)
}

const accessOptions = (client: CaptureClient) => requestOptions(client, 'actions.access', null)

/** Rights of the user; null: not known yet. They may change while the page is open. */
export function useAccess(): Access | null {
  const { server } = useCaptureState()
  const { data } = useQuery({
    ...accessOptions(useCapture()),
    enabled: server !== null,
    staleTime: 5 * 60_000,
  })
  return data ?? null
}

/** Reads the rights again after a refusal for lack of a right, so that the action is no longer offered. */
export function useRightsAfterRefusals(): void {
  const client = useCapture()
  const queries = useQueryClient()
  useEffect(() => {
    const { queryKey } = accessOptions(client)
    return sessionOf(client).forbidden.subscribe(() => {
      void client.request('actions.certificate', null).then(
        // With null the server does not know the certificate any more. Keep the earlier one: the server refuses again.
        (certificate) =>
          queries.setQueryData(queryKey, (known) => (known && certificate ? { ...known, certificate } : known)),
        () => undefined,
      )
    })
  }, [client, queries])
}

/** Separates the activity of a server from that of others at the same address. */
export const serverKeyOf = ({ serverId }: Pick<Access, 'serverId'>): string =>
  serverId ?? location.origin + serverPathOf(location.pathname)

function browserEnv(forbidden: RunnerEnv['forbidden']): RunnerEnv {
  const { locks } = navigator as { readonly locks?: LockManager }
  return {
    nowMs: () => Date.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    alone: async (name, run) => {
      // Without https or loopback there are no locks: two pages may read the same state, which does no harm.
      if (locks === undefined) return run()
      await locks.request(`rookery.action.${name}`, { ifAvailable: true }, (lock) =>
        lock === null ? undefined : run(),
      )
    },
    newId: guid,
    forbidden,
  }
}

/** Replaces `crypto.randomUUID`, which is missing on a page that is neither on https nor on loopback. */
function guid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
