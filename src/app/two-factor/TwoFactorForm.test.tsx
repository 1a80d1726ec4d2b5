import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import TwoFactorForm from './TwoFactorForm.tsx'
import TwoFactorPage from './TwoFactorPage.tsx'
import { durationsOf } from './verify.ts'

const requested: { path: string; body: unknown }[] = []
let reply: () => Response = () => new Response(null, { status: 202 })
const reportedLimits = (): Response =>
  Response.json({ DefaultTwoFactorSessionDurationInMin: 90, MaxTwoFactorSessionDurationInMin: 480 })
let limits: () => Response | Promise<Response>

beforeEach(() => {
  requested.length = 0
  limits = reportedLimits
  reply = () => new Response(null, { status: 202 })
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    if (path === '/authentication/2fa/configuration') return Promise.resolve(limits())
    requested.push({ path, body: JSON.parse(init.body as string) })
    return Promise.resolve(reply())
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const code = (): HTMLElement => screen.getByRole('textbox', { name: 'Code of your authenticator' })

async function give(text: string): Promise<void> {
  await userEvent.clear(code())
  await userEvent.type(code(), `${text}{Enter}`)
}

describe('the form of the two-factor code', () => {
  it('is one that phones and password managers fill', () => {
    render(<TwoFactorForm onLetIn={() => {}} />)
    expect(code().getAttribute('autocomplete')).toBe('one-time-code')
    expect(code().getAttribute('inputmode')).toBe('numeric')
    expect(document.activeElement).toBe(code())
  })

  it('gives the code as a number, for this browser and the server’s own time', async () => {
    const onLetIn = vi.fn()
    render(<TwoFactorForm onLetIn={onLetIn} />)
    await screen.findByRole('option', { name: '1 h 30 min' })
    await give('012 345')
    expect(requested).toEqual([
      { path: '/authentication/2fa?hasLimits=true&sessionDurationInMin=90', body: { Token: 12_345 } },
    ])
    expect(onLetIn).toHaveBeenCalledTimes(1)
  })

  it('gives the time and reach that were chosen', async () => {
    render(<TwoFactorForm onLetIn={() => {}} />)
    await screen.findByRole('option', { name: '1 h 30 min' })
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'It lets in for' }), '8 h')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Only this browser' }))
    expect(screen.getByText(/from anywhere/)).toBeTruthy()
    await give('123456')
    expect(requested[0]?.path).toBe('/authentication/2fa?hasLimits=false&sessionDurationInMin=480')
  })

  it('takes a code that is pasted as it is shown, with its space', async () => {
    render(<TwoFactorForm onLetIn={() => {}} />)
    await userEvent.click(code())
    await userEvent.paste('012 345')
    await userEvent.keyboard('{Enter}')
    expect(requested[0]?.body).toEqual({ Token: 12_345 })
  })

  it('gives no longer time than the server allows, also where more was chosen before that was known', async () => {
    let tell = (): void => undefined
    limits = () => new Promise((done) => (tell = () => done(reportedLimits())))
    render(<TwoFactorForm onLetIn={() => {}} />)
    const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'It lets in for' })
    await userEvent.selectOptions(choice, '1 d')
    tell()
    await screen.findByRole('option', { name: '1 h 30 min' })
    expect(choice.value).toBe('480')
    await give('123456')
    expect(requested[0]?.path).toContain('sessionDurationInMin=480')
  })

  it('asks the server for nothing but six digits', async () => {
    render(<TwoFactorForm onLetIn={() => {}} />)
    await give('123')
    expect(screen.getByRole('alert').textContent).toContain('six digits')
    expect(requested).toEqual([])
  })

  it.each<[string, () => Response, RegExp]>([
    [
      'a wrong code',
      () => Response.json({ Error: 'Wrong token provided for X ()' }, { status: 406 }),
      /It changes every 30 seconds/,
    ],
    [
      'what the server says',
      () => Response.json({ Error: '<b>no</b>\nmore' }, { status: 400 }),
      /\(HTTP 400\): <b>no<\/b>$/,
    ],
    ['a page of a proxy', () => new Response('<html>', { status: 502 }), /HTTP 502\): it does not say why/],
    ['silence', () => Response.error(), /does not take it|did not answer/],
  ])('says %s, and lets the user try again', async (_, response, words) => {
    const onLetIn = vi.fn()
    render(<TwoFactorForm onLetIn={onLetIn} />)
    reply = response
    await give('123456')
    expect((await screen.findByRole('alert')).textContent).toMatch(words)
    expect(onLetIn).not.toHaveBeenCalled()
    reply = () => new Response(null, { status: 202 })
    await give('654321')
    expect(onLetIn).toHaveBeenCalledTimes(1)
  })

  it('uses the usual limits where the server reports none', async () => {
    limits = () => new Response('', { status: 403 })
    render(<TwoFactorForm onLetIn={() => {}} />)
    await give('123456')
    expect(requested[0]?.path).toContain('sessionDurationInMin=120')
  })

  it('never offers more than the server allows', () => {
    expect(durationsOf({ defaultMin: 120, mostMin: 60 })).toEqual([15, 30, 60])
    expect(durationsOf({ defaultMin: 100, mostMin: 200 })).toEqual([15, 30, 60, 100, 120, 200])
  })

  it('stands on a page of its own', () => {
    render(<TwoFactorPage />)
    expect(screen.getByRole('heading', { name: 'This certificate needs a two-factor code' })).toBeTruthy()
    expect(code()).toBeTruthy()
  })
})
