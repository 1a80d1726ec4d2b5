import { useRef, type ReactNode } from 'react'
import { Button, type ButtonProps } from './Button.tsx'

interface FileButtonProps extends Omit<ButtonProps, 'onClick' | 'ref' | 'submits'> {
  /** Name of the input behind the button. */
  readonly input: string
  readonly accept?: string
  readonly multiple?: boolean
  /** Chooses a folder, and gives the files in it. */
  readonly folder?: boolean
  /** At least one file. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void
}

/** A button that chooses files, with the input behind it. */
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
          // Emptied, so that the same file can be chosen again.
          currentTarget.value = ''
          if (first !== undefined) onFiles([first, ...others])
        }}
      />
    </>
  )
}
