import { serverPathOf } from '../../base/http/stand-alone.mjs'
import { asNumber, asObject, orNull } from '../../base/json/check.ts'
import { withKey } from '../../ravendb/env.ts'
import { storedKey } from '../stored-key.ts'

/** Limits for the duration of a code's access, minutes. */
export interface TwoFactorLimits {
  readonly defaultMin: number
  readonly mostMin: number
}

/** Defaults of the server (7.1), if it does not report them. */
export const USUAL_LIMITS: TwoFactorLimits = { defaultMin: 120, mostMin: 1440 }

/** Reads `GET /authentication/2fa/configuration`, which is answered without a code. */
export async function requestLimits(): Promise<TwoFactorLimits> {
  try {
    const response = await fetch(
      `${serverPathOf(location.pathname)}/authentication/2fa/configuration`,
      withKey({ cache: 'no-store' }, storedKey()),
    )
    const body = asObject(await response.json(), '$')
    return {
      defaultMin: orNull(asNumber, body['DefaultTwoFactorSessionDurationInMin'], '$') ?? USUAL_LIMITS.defaultMin,
      mostMin: orNull(asNumber, body['MaxTwoFactorSessionDurationInMin'], '$') ?? USUAL_LIMITS.mostMin,
    }
  } catch {
    return USUAL_LIMITS
  }
}

const STEPS_MIN = [15, 30, 60, 120, 240, 480, 720, 1440]

/** Durations to choose from, minutes, ascending: round ones, and the server's default and maximum. */
export const durationsOf = ({ defaultMin, mostMin }: TwoFactorLimits): readonly number[] =>
  [...new Set([...STEPS_MIN.filter((minutes) => minutes < mostMin), Math.min(defaultMin, mostMin), mostMin])].toSorted(
    (a, b) => a - b,
  )

export interface CodeGiven {
  /** Six digits, as text to keep a leading zero. */
  readonly code: string
  readonly durationMin: number
  /** Whether only this browser gets access, by a cookie; otherwise every client with the certificate. */
  readonly thisBrowserOnly: boolean
}

/** Sends the code. Null: it was accepted (202). Else the reason, in a sentence that says what to do. */
export async function giveCode({ code, durationMin, thisBrowserOnly }: CodeGiven): Promise<string | null> {
  const query = `hasLimits=${String(thisBrowserOnly)}&sessionDurationInMin=${String(durationMin)}`
  let response: Response
  let said = ''
  try {
    const request: RequestInit = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify({ Token: Number(code) }),
    }
    response = await fetch(
      `${serverPathOf(location.pathname)}/authentication/2fa?${query}`,
      withKey(request, storedKey()),
    )
    if (response.ok) return null
    said = saidIn(await response.text())
  } catch {
    return 'The server did not answer: try again.'
  }
  if (said.startsWith('Wrong token'))
    return 'The server does not take this code. It changes every 30 seconds: enter the newest. If none works, the clock of your phone or of the server is wrong.'
  return `The server does not take it (HTTP ${String(response.status)}): ${said === '' ? 'it does not say why.' : said}`
}

/** `Error` or `Message` of a response, as text. */
function saidIn(body: string): string {
  try {
    const { Error: error, Message: message } = asObject(JSON.parse(body), '$')
    const said = typeof error === 'string' ? error : message
    return typeof said === 'string' ? (said.split('\n', 1)[0] ?? '') : ''
  } catch {
    return ''
  }
}
