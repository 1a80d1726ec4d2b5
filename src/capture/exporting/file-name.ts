import { formatTicks, type Ticks } from '../../base/ticks.ts'

const LONGEST_PART = 40

/** A name from a server, made harmless for every file system: letters, digits, `.`, `_` and `-`; never empty of all. */
const harmless = (text: string): string =>
  Array.from(
    text
      .normalize('NFC')
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replaceAll(/\.{2,}|-{2,}/g, '-'),
  )
    .slice(0, LONGEST_PART)
    .join('')
    .replaceAll(/^[.-]+|[.-]+$/g, '')

/**
 * `rookery-io-shop-2026-11-20T0401Z.csv`: what, whose, and where its data begins (UTC, to the minute). `of` and `at`
 * are left out where there is none.
 */
export function exportFileName(parts: {
  readonly what: string
  readonly of: string
  readonly at: Ticks | null
  readonly extension: string
}): string {
  const minute = parts.at === null ? '' : formatTicks(parts.at).slice(0, 16).replace(':', '')
  const names = ['rookery', parts.what, harmless(parts.of), minute === '' ? '' : `${minute}Z`]
  return `${names.filter((name) => name !== '').join('-')}.${parts.extension}`
}
