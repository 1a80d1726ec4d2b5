import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { formatDuration } from '../../base/text/format.ts'
import { spanFromMs } from '../../base/ticks.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { FieldFrame } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { Toggle } from '../../ui/controls/Toggle.tsx'
import { requestLimits, durationsOf, giveCode, USUAL_LIMITS, type TwoFactorLimits } from './verify.ts'
import styles from './TwoFactorForm.module.css'
import { cx } from '../../ui/theme/cx.ts'

/** Form that sends the code of an authenticator to the server. */
export default function TwoFactorForm({ onLetIn }: { readonly onLetIn: () => void }): ReactNode {
  const [limits, setLimits] = useState<TwoFactorLimits>(USUAL_LIMITS)
  const [chosenMin, setChosenMin] = useState<number | null>(null)
  const [thisBrowserOnly, setThisBrowserOnly] = useState(true)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isRequesting, setIsRequesting] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    let isHere = true
    void requestLimits().then((reported) => isHere && setLimits(reported))
    input.current?.focus()
    return () => void (isHere = false)
  }, [])

  // The duration may have been chosen before the server reported its maximum.
  const durationMin = Math.min(chosenMin ?? limits.defaultMin, limits.mostMin)

  const send = async (): Promise<void> => {
    if (isRequesting) return
    if (!/^\d{6}$/.test(code)) {
      setProblem('The code has six digits.')
      input.current?.focus()
      return
    }
    setIsRequesting(true)
    const why = await giveCode({ code, durationMin, thisBrowserOnly })
    setIsRequesting(false)
    setProblem(why)
    if (why === null) onLetIn()
    else input.current?.select()
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <FieldFrame label="Code of your authenticator" problem={problem}>
        {({ inputId, describedBy }) => (
          <input
            ref={input}
            id={inputId}
            className={styles.code}
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            aria-invalid={problem === null ? undefined : true}
            aria-describedby={describedBy}
            onChange={(event) => {
              // A maximum length in the attribute would cut a pasted “012 345” before its space is removed.
              setCode(event.target.value.replace(/\D/g, '').slice(0, 6))
              setProblem(null)
            }}
          />
        )}
      </FieldFrame>
      <Select
        label="It lets in for"
        options={durationsOf(limits).map((minutes) => ({
          value: String(minutes),
          text: formatDuration(spanFromMs(minutes * 60_000)),
        }))}
        value={String(durationMin)}
        onChange={(value) => setChosenMin(Number(value))}
      />
      <div>
        <Toggle label="Only this browser" checked={thisBrowserOnly} onChange={setThisBrowserOnly} />
        <p className={cx('note', styles.hint)}>
          {thisBrowserOnly
            ? 'Other programs and browsers with this certificate still have to give a code.'
            : 'For that time every client with this certificate is let in without a code, from anywhere.'}
        </p>
      </div>
      <Button tone="primary" submits disabled={isRequesting}>
        {isRequesting ? 'Checking the code …' : 'Continue'}
      </Button>
    </form>
  )
}
