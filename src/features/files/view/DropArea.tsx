import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { paramsToFit, useCapture, useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './files.module.css'

interface DropAreaProps {
  readonly isLarge: boolean
  readonly hasFocus: boolean
  readonly onFocused: () => void
}

/** Where files are dropped (as anywhere on the page) or chosen. `hasFocus`: one has come here to do so. */
export function DropArea({ isLarge, hasFocus, onFocused }: DropAreaProps): ReactNode {
  const capture = useCapture()
  const { view } = useView()
  const areaRef = useRef<HTMLDivElement>(null)
  const inputRef = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (!hasFocus) return
    areaRef.current?.querySelector('button')?.focus()
    onFocused()
  }, [hasFocus, onFocused])

  return (
    <div ref={areaRef} className={cx(styles.drop, isLarge && styles.dropLarge)} role="group" aria-label="Drop area">
      {isLarge ? <Icon name="file" sizePx={28} /> : null}
      <p>Drop files anywhere on this page</p>
      <Button tone={isLarge ? 'primary' : 'plain'} onClick={() => inputRef.current?.click()}>
        Choose files…
      </Button>
      <input
        ref={inputRef}
        type="file"
        multiple
        hidden
        aria-label="Files to open"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // Emptied, so that the same file can be chosen again.
          event.target.value = ''
          if (files.length > 0) capture.openFiles(files, paramsToFit(view))
        }}
      />
    </div>
  )
}
