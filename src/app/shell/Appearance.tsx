import type { ReactNode } from 'react'
import { Popover } from '../../ui/controls/Popover.tsx'
import { Segmented } from '../../ui/controls/Segmented.tsx'
import { setAppearance, useAppearance } from '../../ui/theme/theme.ts'
import styles from './appearance.module.css'
import { cx } from '../../ui/theme/cx.ts'

/** Choice of theme and palette, stored in this browser. */
export function Appearance(): ReactNode {
  const { preference, palette, theme } = useAppearance()
  return (
    <Popover label="Appearance" icon={theme === 'dark' ? 'moon' : 'sun'}>
      <div className={cx('stack', styles.appearance)}>
        <p className="faint">Theme</p>
        <Segmented
          label="Theme"
          options={[
            { value: 'system', text: 'System' },
            { value: 'dark', text: 'Dark' },
            { value: 'light', text: 'Light' },
          ]}
          value={preference}
          onChange={(next) => setAppearance({ preference: next })}
        />
        <p className="faint">Colours of the kinds</p>
        <Segmented
          label="Colours of the kinds"
          options={[
            { value: 'default', text: 'Standard' },
            { value: 'colour-blind', text: 'Colour-blind safe' },
          ]}
          value={palette}
          onChange={(next) => setAppearance({ palette: next })}
        />
        <ul className={cx('note', styles.kinds)} aria-hidden="true">
          {KINDS.map(([name, token]) => (
            <li key={name}>
              <span className={styles.swatch} style={{ background: `var(${token})` }} />
              {name}
            </li>
          ))}
        </ul>
      </div>
    </Popover>
  )
}

const KINDS = [
  ['journal write', '--kind-journal-write'],
  ['data flush', '--kind-data-flush'],
  ['data sync', '--kind-data-sync'],
  ['compression', '--kind-compression'],
] as const
