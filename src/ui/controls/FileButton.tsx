import { useRef, type ReactNode } from 'react'
import { Button, type ButtonProps } from './Button.tsx'

interface FileButtonProps extends Omit<ButtonProps, 'onClick' | 'ref' | 'submits'> {
  /** Accessible name of the input behind the button. */
  readonly input: string
  readonly accept?: string
  readonly multiple?: boolean
  /** Selects a folder; `onFiles` gets the files in it. */
  readonly folder?: boolean
  /** At least one file. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void
}

/** Button that opens the browser's file selection. */
export function FileButton({
  input,
  accept,
  multiple = false,
  folder = false,
  onFiles,
  ...button
}: FileButtonProps): ReactNode {
  const inputRef = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onClick={() => inputRef.current?.click()} />
      <input
        ref={(element) => {
          inputRef.current = element
          if (element !== null) element.webkitdirectory = folder
        }}
        type="file"
        className="spoken"
        tabIndex={-1}
        aria-label={input}
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          const [first, ...others] = currentTarget.files ?? []
          // Cleared, so that the same file can be selected again.
          currentTarget.value = ''
          if (first !== undefined) onFiles([first, ...others])
        }}
      />
    </>
  )
}
