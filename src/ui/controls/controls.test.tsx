import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { StateDot } from '../Badge.tsx'
import { Button, IconButton } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Dialog } from './Dialog.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { TextField } from './Field.tsx'
import { KeyHelp } from './KeyHelp.tsx'
import { ErrorNotice, Notice } from '../Notice.tsx'
import { Progress, Spinner } from '../Progress.tsx'
import { Segmented } from './Segmented.tsx'
import { Select } from './Select.tsx'
import { Toggle } from './Toggle.tsx'
import { NumberField } from './ValueFields.tsx'

describe('buttons', () => {
  it('have their name and do their thing, never submit', async () => {
    const user = userEvent.setup()
    const clicked = vi.fn<() => void>()
    render(
      <>
        <Button onClick={clicked}>Try now</Button>
        <IconButton icon="close" label="Close" onClick={clicked} />
        <Button disabled onClick={clicked}>
          Not now
        </Button>
      </>,
    )
    for (const button of screen.getAllByRole('button')) await user.click(button)
    expect(clicked).toHaveBeenCalledTimes(2)
    expect(screen.getByRole('button', { name: 'Close' }).getAttribute('type')).toBe('button')
  })
})

describe('choices', () => {
  it('Segmented is a group of radio buttons', async () => {
    const user = userEvent.setup()
    const onChange = vi.fn<(value: string) => void>()
    render(
      <Segmented
        label="Clock"
        options={[
          { value: 'local', text: 'Local' },
          { value: 'utc', text: 'UTC' },
        ]}
        value="local"
        onChange={onChange}
      />,
    )
    expect(screen.getByRole('radiogroup', { name: 'Clock' })).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Local' }).checked).toBe(true)
    await user.click(screen.getByRole('radio', { name: 'UTC' }))
    expect(onChange).toHaveBeenCalledWith('utc')
  })

  it('Toggle and Select show what was chosen', async () => {
    const user = userEvent.setup()
    const onChange = vi.fn<(value: unknown) => void>()
    render(
      <>
        <Toggle label="Fold idle time" checked={false} onChange={onChange} />
        <Select
          label="Scale"
          options={[
            { value: 'log', text: 'Logarithmic' },
            { value: 'linear', text: 'Linear' },
          ]}
          value="log"
          onChange={onChange}
        />
      </>,
    )
    await user.click(screen.getByRole('checkbox', { name: 'Fold idle time' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Scale' }), 'linear')
    expect(onChange.mock.calls).toEqual([[true], ['linear']])
  })
})

describe('fields', () => {
  it('TextField takes effect while one types', async () => {
    const user = userEvent.setup()
    const Typed = () => {
      const [text, setText] = useState('')
      return <TextField label="Name" type="search" value={text} onChange={setText} />
    }
    render(<Typed />)
    await user.type(screen.getByRole('searchbox', { name: 'Name' }), '<b>')
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('<b>')
  })

  it('NumberField takes a number on Enter, says why it does not, and gives it back on Escape', async () => {
    const user = userEvent.setup()
    const onChange = vi.fn<(value: number | null) => void>()
    render(<NumberField label="Slower than" unit="ms" value={5} min={0} onChange={onChange} />)
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Slower than' })
    expect(screen.getByText('ms')).toBeTruthy()
    await user.clear(field)
    await user.type(field, '-3{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('At least 0.')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(field.value).toBe('-3')
    await user.keyboard('{Escape}')
    expect(field.value).toBe('5')
    expect(screen.queryByRole('alert')).toBeNull()
    await user.clear(field)
    await user.type(field, 'x{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('Not a number.')
    await user.clear(field)
    await user.tab()
    expect(onChange.mock.calls).toEqual([[null]])
  })

  it('leaves the exact value alone when nothing was typed', async () => {
    const user = userEvent.setup()
    const onChange = vi.fn<(value: number | null) => void>()
    render(<NumberField label="Slower than" value={0.1 + 0.2} onChange={onChange} />)
    await user.click(screen.getByRole('textbox'))
    await user.keyboard('{Enter}')
    await user.tab()
    expect(onChange).not.toHaveBeenCalled()
  })
})

describe('Dialog', () => {
  it('is named by its title, closes by its button, and gives the focus back', async () => {
    const user = userEvent.setup()
    const Page = () => {
      const [open, setOpen] = useState(false)
      return (
        <>
          <button type="button" onClick={() => setOpen(true)}>
            Open
          </button>
          {open ? (
            <Dialog title="Cost" onClose={() => setOpen(false)} actions={<button type="button">Done</button>}>
              body
            </Dialog>
          ) : null}
        </>
      )
    }
    render(<Page />)
    await user.click(screen.getByRole('button', { name: 'Open' }))
    expect(screen.getByRole<HTMLDialogElement>('dialog', { name: 'Cost' }).open).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement?.textContent).toBe('Open')
  })

  const opened = (children: ReactNode, onSubmit?: () => void) => {
    const { unmount } = render(
      <Dialog
        title="Cost"
        describedBy="loss"
        onClose={() => {}}
        actions={
          <>
            <Button>Cancel</Button>
            <Button submits>Do it</Button>
          </>
        }
        {...(onSubmit === undefined ? {} : { onSubmit })}
      >
        {children}
      </Dialog>,
    )
    return {
      unmount,
      focused: () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
    }
  }

  it('begins at its first field, else at the button that changes nothing, and has a description', () => {
    const { unmount, focused } = opened(<p id="loss">All of it.</p>)
    expect(focused()).toBe('Cancel')
    expect(screen.getByRole('dialog').getAttribute('aria-describedby')).toBe('loss')
    unmount()
    const fields = opened(
      <>
        <input type="radio" aria-label="first" />
        <input type="radio" aria-label="second" defaultChecked />
      </>,
    )
    expect(fields.focused()).toBe('second')
  })

  it('is submitted by Enter in a field of text, not by a key that is held down, and not from a box', async () => {
    const user = userEvent.setup()
    const onSubmit = vi.fn<() => void>()
    opened(
      <>
        <input aria-label="name" />
        <input type="checkbox" aria-label="box" />
      </>,
      onSubmit,
    )
    await user.keyboard('a{Enter}')
    expect(onSubmit).toHaveBeenCalledTimes(1)
    expect(fireEvent.keyDown(screen.getByLabelText('name'), { key: 'Enter', repeat: true })).toBe(false)
    expect(fireEvent.keyDown(screen.getByLabelText('box'), { key: 'Enter' })).toBe(false)
    expect(fireEvent.keyDown(screen.getByLabelText('name'), { key: 'Enter' })).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Do it' }))
    expect(onSubmit).toHaveBeenCalledTimes(2)
  })

  it('takes a number by Enter first, and is submitted by the next one', async () => {
    const user = userEvent.setup()
    const onSubmit = vi.fn<() => void>()
    const onChange = vi.fn<(value: number | null) => void>()
    opened(<NumberField label="Every" value={5} min={1} onChange={onChange} />, onSubmit)
    await user.keyboard('{Control>}a{/Control}0{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('At least 1.')
    await user.keyboard('{Control>}a{/Control}7{Enter}')
    expect([onChange.mock.calls, onSubmit.mock.calls]).toEqual([[[7]], []])
    await user.keyboard('{Enter}')
    expect(onSubmit).toHaveBeenCalledTimes(1)
  })

  it('closes when the browser cancels it (Escape) and by its backdrop, not by its content', () => {
    const onClose = vi.fn<() => void>()
    render(
      <Dialog title="Cost" onClose={onClose}>
        <p>body</p>
      </Dialog>,
    )
    const dialog = screen.getByRole('dialog')
    screen.getByText('body').click()
    expect(onClose).not.toHaveBeenCalled()
    act(() => void dialog.dispatchEvent(new Event('cancel', { cancelable: true })))
    expect(onClose).toHaveBeenCalledTimes(1)
    dialog.click()
    expect(onClose).toHaveBeenCalledTimes(2)
  })
})

describe('messages', () => {
  const error = {
    endpoint: '/databases',
    status: 403,
    message: 'The certificate may not do this.',
    serverMessage: '<img src=x onerror=alert(1)>',
    hint: 'Ask for the right Operator.',
  }

  it('an error says what, where, what came and what to do, and the server’s words are text', () => {
    render(<ErrorNotice error={error} />)
    const alert = screen.getByRole('alert')
    for (const words of [error.message, error.endpoint, 'HTTP 403', error.hint, error.serverMessage])
      expect(alert.textContent).toContain(words)
    expect(alert.querySelector('img')).toBeNull()
  })

  it('a missing answer is reported as such, and only where none came', () => {
    render(<ErrorNotice error={{ ...error, kind: 'network', status: null, serverMessage: null }} tone="warn" />)
    expect(screen.getByRole('status').textContent).toContain('no answer')
    expect(screen.queryByText('Server message')).toBeNull()
    cleanup()
    render(<ErrorNotice error={{ ...error, kind: 'unexpected', status: null }} tone="warn" />)
    expect(screen.getByRole('status').textContent).not.toContain('no answer')
    cleanup()
    render(<ErrorNotice error={{ ...error, status: null, endpoint: 'the file' }} tone="warn" />)
    expect(screen.getByRole('status').textContent).not.toContain('no answer')
  })

  it('a notice and an empty state carry their next step', () => {
    render(
      <>
        <Notice tone="info" title="Unloaded" actions={<Button>Load it</Button>} />
        <EmptyState title="Nothing yet" actions={<Button>Choose</Button>}>
          Why
        </EmptyState>
      </>,
    )
    expect(screen.getByRole('status').textContent).toContain('Unloaded')
    expect(screen.getByRole('heading', { name: 'Nothing yet' })).toBeTruthy()
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Load it', 'Choose'])
  })

  it('progress has words', () => {
    render(
      <>
        <Spinner>Reading</Spinner>
        <Progress label="capture.json" share={0.4} />
      </>,
    )
    expect(screen.getByRole('status').textContent).toBe('Reading')
    expect(screen.getByRole('progressbar', { name: 'capture.json' }).getAttribute('value')).toBe('0.4')
  })

  it('a state is distinguished by its mark as well as by hue', () => {
    const { container } = render(
      <>
        {(['ok', 'busy', 'idle', 'warn', 'error'] as const).map((tone) => (
          <StateDot key={tone} tone={tone}>
            {tone}
          </StateDot>
        ))}
      </>,
    )
    const marks = [...container.querySelectorAll('svg')].map((mark) => mark.innerHTML)
    expect(new Set(marks).size).toBe(5)
  })

  it('keys are listed by group', () => {
    render(<KeyHelp groups={[{ title: 'Time', keys: [{ keys: ['←', '→'], does: 'pan' }] }]} onClose={() => {}} />)
    expect(screen.getByRole('heading', { name: 'Time' })).toBeTruthy()
    expect(screen.getByText('pan').previousElementSibling?.textContent).toBe('←→')
  })
})

describe('CopyButton', () => {
  it('copies and says so', async () => {
    const user = userEvent.setup()
    render(<CopyButton label="Copy as JSON" text={() => '{"a":1}'} />)
    await user.click(screen.getByRole('button', { name: 'Copy as JSON' }))
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe('{"a":1}')
  })

  it('copies hidden characters as escapes, and lines as lines', async () => {
    const user = userEvent.setup()
    render(<CopyButton label="Copy stack" text={() => 'at A\n\tat \u202EB'} />)
    await user.click(screen.getByRole('button', { name: 'Copy stack' }))
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(`at A\n\tat ${String.raw`\u202E`}B`)
  })

  it('says when the browser refuses', async () => {
    const user = userEvent.setup()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
    render(<CopyButton label="Copy" text={() => 'x'} />)
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByText('The browser did not allow it')).toBeTruthy()
  })
})
