import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'
import styles from './KeyHelp.module.css'
import { cx } from '../theme/cx.ts'

export interface KeyGroup {
  readonly title: string
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[]
}

interface KeyHelpProps {
  readonly groups: readonly KeyGroup[]
  readonly onClose: () => void
}

/** Dialog with all keys of the page, by group; opened by `?`. */
export function KeyHelp({ groups, onClose }: KeyHelpProps): ReactNode {
  return (
    <Dialog title="Keys" wide onClose={onClose}>
      <div className={styles.groups}>
        {groups.map((group) => (
          <section key={group.title}>
            <h3 className={cx('note', styles.title)}>{group.title}</h3>
            <dl className={styles.list}>
              {group.keys.map((key) => (
                <div key={key.does} className={styles.line}>
                  <dt className={cx('wrap', styles.keys)}>
                    {key.keys.map((each) => (
                      <kbd key={each} className={styles.key}>
                        {each}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{key.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
