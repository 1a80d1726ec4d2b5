import type { ReactNode } from 'react'
import { paramsOfPanel } from '../../../capture/client/panels.ts'
import { useView } from '../../../capture/client/view.ts'
import { CommitField } from '../../../ui/controls/CommitField.tsx'
import { NumberField } from '../../../ui/controls/ValueFields.tsx'
import { DEFAULT_RULE } from '../contract.ts'
import { formatRule, formatVolumes, parseRule, parseVolumes } from '../link-settings.ts'
import styles from './stalls.module.css'

/** Fields for the rule of a stall, and for the volumes that environments share. */
export function StallSettings(): ReactNode {
  const { view, change } = useView()
  const own = paramsOfPanel('stalls', view.params)
  const rule = parseRule(own)
  const setRule = (parts: Partial<typeof rule>): void => change({ params: formatRule({ ...rule, ...parts }) })
  const setVolumes = (text: string): string | null => {
    const parsed = parseVolumes(text)
    if (parsed === null) return 'Write: part of a path = name of its volume; …'
    change({ params: { 'stalls.volumes': formatVolumes(parsed) } })
    return null
  }
  return (
    <div className={styles.tools}>
      <NumberField
        label="At least"
        unit="ms"
        value={rule.leastMs}
        min={1}
        onChange={(leastMs) => setRule({ leastMs: leastMs ?? DEFAULT_RULE.leastMs })}
      />
      <NumberField
        label="Times the median"
        value={rule.timesMedian}
        min={1}
        onChange={(timesMedian) => setRule({ timesMedian: timesMedian ?? DEFAULT_RULE.timesMedian })}
      />
      <div className={styles.wide}>
        <CommitField
          label="Volumes"
          placeholder="part of a path = volume; another = volume"
          value={own.volumes ?? ''}
          onCommit={setVolumes}
        />
      </div>
    </div>
  )
}
