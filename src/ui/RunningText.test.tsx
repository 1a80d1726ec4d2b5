import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { RunningText } from './RunningText.tsx'

const unbroken = (text: string): (string | null)[] => {
  const { container } = render(<RunningText text={text} />)
  expect(container.textContent).toBe(text)
  return [...container.querySelectorAll('.unbroken')].map((each) => each.textContent)
}

describe('RunningText', () => {
  it('keeps a number and its unit together, and changes no text', () => {
    expect(unbroken('CPU at 71 % for 1 min 58 s, 12.6 MiB/s of 1,024 KiB, ≈ 12 /s; < 0.01 %.')).toEqual([
      '71 %',
      '1 min',
      '58 s',
      '12.6 MiB/s',
      '1,024 KiB',
      '≈ 12 /s',
      '< 0.01 %',
    ])
  })

  it('shows hidden characters', () => {
    const { container } = render(<RunningText text={'an evil\u202Ename took 71 %'} />)
    expect(container.textContent).toBe('an evil\\u202Ename took 71 %')
  })

  it('leaves other words after a number alone', () => {
    expect(unbroken('3 servers, 12 hours, 2 databases; until 11:07:36')).toEqual([])
  })
})
