import type { ReactNode } from 'react'
import type { TimeRange } from '../../../base/ticks.ts'
import { SIDES, type CompareSide, type SideName } from '../../../capture/client/compare-sides.ts'
import { parseSourceId, sourceLabel } from '../../../capture/client/state.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import styles from './compare.module.css'
import type { SourceOption } from './SideFields.tsx'

export const SIDE_TITLES: Readonly<Record<SideName, string>> = { before: 'Before', after: 'After' }

export function sourceName(id: string): string {
  const ref = parseSourceId(id)
  return ref === null ? id : sourceLabel(ref)
}

interface ChoiceProps {
  readonly chosen: SideName | null
  readonly sources: readonly string[]
  readonly sides: Readonly<Record<SideName, CompareSide | null>>
  /** All open sources, and the runs. */
  readonly options: readonly SourceOption[]
  readonly halves: readonly [TimeRange, TimeRange] | null
  readonly onChoose: (sides: Partial<Record<SideName, CompareSide | null>>) => void
}

/** Guides the user to the missing side. */
export function Choice({ chosen, sources, sides, options, halves, onChoose }: ChoiceProps): ReactNode {
  const [first, second] = sources
  return (
    <EmptyState
      title={
        chosen === null ? 'Compare before with after' : `Choose a range as ${chosen === 'before' ? 'after' : 'before'}`
      }
      actions={
        <>
          {first === undefined || second === undefined ? null : (
            <Button
              tone="primary"
              onClick={() =>
                onChoose({ before: { sources: [first], range: null }, after: { sources: [second], range: null } })
              }
            >
              Compare {sourceName(first)} with {sourceName(second)}
            </Button>
          )}
          {halves === null || first === undefined ? null : (
            <Button
              tone={second === undefined ? 'primary' : 'plain'}
              onClick={() => onChoose({ before: { sources, range: halves[0] }, after: { sources, range: halves[1] } })}
            >
              Compare the first half with the second
            </Button>
          )}
        </>
      }
    >
      {options.length < 2 ? null : (
        <span className={styles.choice}>
          {SIDES.map((name) => (
            <Select
              key={name}
              label={SIDE_TITLES[name]}
              options={[{ value: '', text: 'Choose a source' }, ...options]}
              value={sides[name]?.sources.length === 1 ? (sides[name].sources[0] ?? '') : ''}
              onChange={(value) => onChoose({ [name]: value === '' ? null : { sources: [value], range: null } })}
            />
          ))}
        </span>
      )}
      Go to I/O, Indexing or Vitals, bring a range in view, and choose Compare range, then Use as before or Use as
      after.
    </EmptyState>
  )
}
