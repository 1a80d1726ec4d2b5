import { useState, type ReactNode } from 'react'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { TextField } from '../../../../ui/controls/Field.tsx'
import { NumberField } from '../../../../ui/controls/ValueFields.tsx'
import type { SideFigures } from '../../contract.ts'
import styles from '../compare.module.css'
import { describeBottleneck } from './bottleneck-words.ts'
import { keptFigures, type MachineFacts, type Run } from './runs.ts'
import type {} from '../../../../feeds/server/contract.ts'

const GIB = 1024 ** 3

interface SaveRunProps {
  readonly figures: SideFigures
  readonly from: string
  /** Whether the side belongs to the watched server, which may report its machine. */
  readonly canRead: boolean
  readonly onSave: (run: Run) => void
  readonly onClose: () => void
}

/** Form for name, workload and machine of a side to store; figures of the server are filled in on request. */
export function SaveRun({ figures, from, canRead, onSave, onClose }: SaveRunProps): ReactNode {
  const capture = useCapture()
  const { attempt, failure, isRunning } = useAttempt()
  const [name, setName] = useState('')
  const [workload, setWorkload] = useState('')
  const [bottleneck, setBottleneck] = useState('')
  const [machine, setMachine] = useState<MachineFacts>({ cores: null, memoryGib: null, volumes: '' })
  const readMachine = async (): Promise<void> => {
    const now = await capture.request('server.now', null)
    const physical = now.memory?.physicalBytes
    setMachine((typed) => ({
      cores: now.cpu?.cores ?? typed.cores,
      memoryGib: physical === undefined ? typed.memoryGib : Math.round((10 * physical) / GIB) / 10,
      volumes: now.volumes.length === 0 ? typed.volumes : now.volumes.map((volume) => volume.mount).join(', '),
    }))
    const { startTicks, endTicks } = figures
    const { intervals } = await capture.request('server.bottlenecks', { startTicks, endTicks, most: 200 })
    const found = describeBottleneck(intervals)
    setBottleneck((typed) => (typed.trim() === '' ? found : typed))
  }
  const isNamed = name.trim() !== ''
  const save = (): void => {
    if (!isNamed) return
    const id = `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`
    onSave({
      id,
      name: name.trim(),
      savedMs: Date.now(),
      from,
      machine,
      workload: workload.trim(),
      bottleneck: bottleneck.trim(),
      figures: keptFigures(figures),
    })
    onClose()
  }
  return (
    <Dialog
      title="Save as a run"
      onClose={onClose}
      onSubmit={save}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" submits disabled={!isNamed}>
            Save run
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <TextField label="Name" value={name} onChange={setName} placeholder="Journals on their own volume" />
        <TextField label="Workload" value={workload} onChange={setWorkload} placeholder="Import of 1 million orders" />
        <div className={styles.edges}>
          <NumberField
            label="Cores"
            value={machine.cores}
            min={0}
            onChange={(cores) => setMachine({ ...machine, cores })}
          />
          <NumberField
            label="Memory"
            unit="GiB"
            value={machine.memoryGib}
            min={0}
            onChange={(memoryGib) => setMachine({ ...machine, memoryGib })}
          />
        </div>
        <TextField
          label="Volumes"
          value={machine.volumes}
          onChange={(volumes) => setMachine({ ...machine, volumes })}
          placeholder="data on NVMe, journals on SSD"
        />
        <TextField
          label="Bottleneck"
          value={bottleneck}
          onChange={setBottleneck}
          placeholder="Disk, most of the time"
        />
        {canRead ? (
          <Button
            small
            disabled={isRunning}
            onClick={() => void attempt('Could not read the machine', readMachine)}
            title="Cores, memory and volumes that the server reports now, and what limited it in the range"
          >
            Fill in from the server
          </Button>
        ) : null}
        <AttemptFailure of={failure} />
      </div>
    </Dialog>
  )
}
