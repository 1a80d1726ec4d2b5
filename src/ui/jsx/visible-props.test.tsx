import { render, screen } from '@testing-library/react'
import fc from 'fast-check'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'

const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const hostile = fc.string({
  unit: fc.constantFrom(...'ab \u202E\u2066\u200F\n\r\t\u0000\u001B\u0085\u2028'.split('')),
  minLength: 1,
})

/** Every way in which a text is read: text, several texts, attributes, fragments, lists, options, SVG. */
function Everything({ name }: { readonly name: string }): ReactNode {
  return (
    <section aria-label={name} title={name}>
      <h2>{name} works most</h2>
      <>
        {name}: <bdi>{name}</bdi>
      </>
      <ul>
        {[name].map((each) => (
          <li key={each}>{[each, ' and ', [each]]}</li>
        ))}
      </ul>
      <select defaultValue={name} aria-label="Source">
        <option value={name} label={name}>
          {name}
        </option>
      </select>
      <img alt={name} />
      <meter aria-valuetext={name} value={1} />
      <input placeholder={name} defaultValue="" aria-label="Filter" />
      <a href={`#${encodeURIComponent(name)}`}>{name}</a>
      <svg>
        <title>{name}</title>
        <text>{name}</text>
      </svg>
    </section>
  )
}

const READ = ['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-valuetext']

describe('foreign texts in elements', () => {
  it('law: nothing hidden reaches a text or an attribute that is read', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const { container, unmount } = render(<Everything name={name} />)
        expect(container.textContent).not.toMatch(HIDDEN)
        for (const element of container.querySelectorAll('*'))
          for (const attribute of READ) expect(element.getAttribute(attribute) ?? '').not.toMatch(HIDDEN)
        unmount()
      }),
      { numRuns: 50 },
    )
  })

  it('keeps values and addresses as they are, for they are keys', () => {
    const name = 'a\u202Eb'
    render(<Everything name={name} />)
    expect(screen.getByRole<HTMLOptionElement>('option').value).toBe(name)
    expect(screen.getByRole('link', { name: String.raw`a\u202Eb` }).getAttribute('href')).toBe('#a%E2%80%AEb')
  })

  it('keeps lines and tabs of a pre, and shows the rest', () => {
    render(<pre aria-label="stack">{'at A\r\n\tat B\u202E\u0000\n'}</pre>)
    expect(screen.getByLabelText('stack').textContent.replaceAll('\r\n', '\n')).toBe(
      `at A\n\tat B${String.raw`\u202E\u0000`}\n`,
    )
  })

  it('gives components what they were given', () => {
    const Raw = ({ children }: { readonly children: string }): ReactNode => <i data-length={children.length} />
    const { container } = render(<Raw>{'a\u202E'}</Raw>)
    expect(container.querySelector('i')?.getAttribute('data-length')).toBe('2')
  })
})
