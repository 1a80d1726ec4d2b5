import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { saveText } from '../../../capture/exporting/save-text.ts'
import type { Composed } from '../../../capture/frame/lanes/useComposed.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/controls/Dialog.tsx'
import { FileButton } from '../../../ui/controls/FileButton.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { MenuButton } from '../../../ui/controls/MenuButton.tsx'
import { cleanName, formatPresets, parsePresets, PresetStore } from './presets.ts'
import styles from './timeline.module.css'

/** Named lists of lanes: the default of the panel, and those that this browser keeps. */
export function PresetMenu({ composed }: { readonly composed: Composed }): ReactNode {
  const [store] = useState(() => new PresetStore())
  const presets = useSyncExternalStore(store.presets.subscribe, store.presets.get)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => store.follow(), [store])
  return (
    <>
      <MenuButton
        text="Presets"
        label="Presets"
        icon="chevron"
        small={false}
        items={[
          {
            text: 'What happened',
            hint: 'the lanes that this panel begins with',
            onChoose: () => composed.setLanes(composed.preset),
          },
          ...presets
            .filter(({ name }) => name !== 'What happened')
            .map(({ name, lanes }) => ({
              text: name,
              hint: formatPlural(lanes.length, 'lane'),
              onChoose: () => composed.setLanes(lanes),
            })),
          { text: 'Save or manage …', onChoose: () => setOpen(true) },
        ]}
      />
      {isOpen ? <PresetDialog composed={composed} store={store} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface PresetDialogProps {
  readonly composed: Composed
  readonly store: PresetStore
  readonly onClose: () => void
}

function PresetDialog({ composed, store, onClose }: PresetDialogProps): ReactNode {
  const presets = useSyncExternalStore(store.presets.subscribe, store.presets.get)
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const { attempt, failure } = useAttempt()
  const name = cleanName(typed)
  const report = (isKept: boolean, words: string): void =>
    setNote(isKept ? words : `${words} This browser does not store it: it is lost when this page closes.`)
  const save = (): void => {
    if (name === '' || composed.lanes.length === 0) return
    report(store.put([{ name, lanes: composed.lanes }]), `“${name}” saved.`)
    setTyped('')
  }
  const exportAll = (): Promise<void> => {
    const text = formatPresets(presets)
    return saveText([text], {
      name: 'rookery-timeline-presets.json',
      mediaType: 'application/json',
      expectedBytes: text.length,
    })
  }
  const importFrom = async (file: File): Promise<void> => {
    const found = parsePresets(await file.text())
    if (found === null) setNote(`${file.name} is no file of presets. Choose one that was exported here.`)
    else report(store.put(found), `${formatPlural(found.length, 'preset')} imported.`)
  }
  return (
    <Dialog
      title="Presets of the timeline"
      onClose={onClose}
      onSubmit={save}
      actions={
        <>
          <Button disabled={presets.length === 0} onClick={() => void attempt('Could not export', exportAll)}>
            Export presets
          </Button>
          <FileButton
            input="File of presets"
            accept=".json,application/json"
            onFiles={([file]) => void attempt('Could not import', () => importFrom(file))}
          >
            Import presets
          </FileButton>
          <Button tone="primary" submits disabled={name === '' || composed.lanes.length === 0}>
            Save
          </Button>
        </>
      }
    >
      <TextField label="Name for the lanes as they are now" value={typed} onChange={setTyped} />
      <AttemptFailure of={failure} />
      <p role="status" className="note">
        {note}
      </p>
      {presets.length === 0 ? (
        <p className="note">This browser keeps no presets yet.</p>
      ) : (
        <ul className={`bare ${styles.presets ?? ''}`} aria-label="Presets">
          {presets.map((preset) => (
            <li key={preset.name} className={`row ${styles.presetRow ?? ''}`}>
              <bdi>{preset.name}</bdi>
              <span className="row">
                <Button
                  small
                  aria-label={`Show ${preset.name}`}
                  onClick={() => {
                    composed.setLanes(preset.lanes)
                    onClose()
                  }}
                >
                  Show
                </Button>
                <Button
                  small
                  aria-label={`Delete ${preset.name}`}
                  onClick={() => report(store.remove(preset.name), `“${preset.name}” deleted.`)}
                >
                  Delete
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
