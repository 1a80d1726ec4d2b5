import { formatTicks, type Ticks } from '../../base/ticks.ts'

const LONGEST_PART = 40

/** A name from a server, safe for every file system: letters, digits, `.`, `_` and `-`; never empty. */
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
 * `rookery-io-shop-2026-11-20T0401Z.csv`: content, owner, and start of its data (UTC, to the minute). `of` and `at` may
 * be missing.
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
