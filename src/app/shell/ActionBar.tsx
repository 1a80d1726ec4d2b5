import { useEffect, useState, type ReactNode } from 'react'
import { isFinished } from '../../actions/client/activity-entry.ts'
import { serverKeyOf, useAccess, useActivity, useSession, useViewOnly } from '../../actions/client/session.ts'
import { ActionHost } from '../../actions/view/ActionHost.tsx'
import { EffectRecorder } from '../../features/activity/view/EffectRecorder.tsx'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { useView } from '../../capture/client/view.ts'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { formatCount } from '../../base/text/format.ts'
import { Palette } from '../palette/Palette.tsx'
import styles from './header.module.css'

/** Parts of the header for actions; loaded after the first picture. */
export default function ActionBar(): ReactNode {
  const { server } = useCaptureState()
  if (server === null) return null
  return (
    <>
      <PaletteButton />
      <ViewOnlyLock />
      <RunningCount />
      <ActionHost />
      <EffectRecorder />
    </>
  )
}

/** Lock that shows and changes whether this browser may send changes. */
function ViewOnlyLock(): ReactNode {
  const { viewOnly } = useSession()
  const now = useViewOnly()
  if (now === null) return null
  const { isOn, isForced, isStored } = now
  const where = isStored ? '' : ' For this page only: the storage of this browser is full or switched off.'
  const why = isForced
    ? 'View only: the stand-alone server refuses changes. Start it with --allow-changes to lift that.'
    : isOn
      ? `View only: no request that changes something leaves this ${isStored ? 'browser' : 'page'}. Click to allow changes.${where}`
      : `Changes are allowed. Click for view only.${where}`
  return isOn ? (
    <Button
      small
      icon="lock"
      title={why}
      aria-pressed
      aria-disabled={isForced}
      onClick={() => (isForced ? undefined : void viewOnly.set(false))}
    >
      <span className={styles.lockWords}>{isStored || isForced ? 'View only' : 'View only · this page only'}</span>
    </Button>
  ) : (
    <IconButton
      icon="unlock"
      label="View only"
      title={why}
      aria-pressed={false}
      onClick={() => void viewOnly.set(true)}
    />
  )
}

/** Number of running actions. */
function RunningCount(): ReactNode {
  const { open } = useView()
  const access = useAccess()
  const server = access === null ? null : serverKeyOf(access)
  const running = useActivity().filter((entry) => entry.server === server && !isFinished(entry)).length
  if (running === 0) return null
  return (
    <Button
      small
      icon="history"
      title="Actions that go on: open Activity"
      onClick={() => open('activity', { params: { 'activity.view': 'done' } })}
    >
      {formatCount(running)} running
    </Button>
  )
}

/** Button of the command palette, opened anywhere by Ctrl K or ⌘ K. */
function PaletteButton(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      // A browser that fills in a form sends key events without a key.
      if (
        (event.key as string | undefined)?.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return
      event.preventDefault()
      // An open dialog takes precedence.
      if (document.querySelector('dialog[open]') === null) setOpen(true)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
  return (
    <>
      <IconButton icon="search" label="Go to or do (Ctrl K)" onClick={() => setOpen(true)} />
      {isOpen ? <Palette onClose={() => setOpen(false)} /> : null}
    </>
  )
}
