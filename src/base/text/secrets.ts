/** Text in place of a secret. */
export const REMOVED = '[removed]'

const NAMES =
  'password|passphrase|passwd|pwd|secret|client[-_]?secret|api[-_]?key|access[-_]?key|account[-_]?key|shared[-_]?access[-_]?key|private[-_]?key|license[-_]?key|auth(?:entication)?[-_]?token|access[-_]?token|refresh[-_]?token|token|credentials?|connection[-_]?string'

/** Patterns of secrets, each with its replacement. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Private keys, and certificates with keys.
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REMOVED],
  // `Authorization: Bearer …`, also without quotes.
  [/\b(authorization\s*[:=]\s*"?(?:basic|bearer|negotiate|digest)?\s*)[^\s",;]+/gi, `$1${REMOVED}`],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${REMOVED}`],
  // Tokens with a known format: JSON Web Tokens, keys of cloud providers.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, REMOVED],
  [/\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g, REMOVED],
  [/\bgh[pousr]_\w{20,}/g, REMOVED],
  // `https://user:password@host`.
  [/(\b[a-z][\w+.-]*:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/gi, `$1${REMOVED}`],
  // Signatures in shared URLs.
  [/([?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature)=)[^&\s"']+/gi, `$1${REMOVED}`],
  // `"Password": "…"`, and `Password=…` up to the next part.
  [new RegExp(String.raw`("[\w.-]*(?:${NAMES})"\s*:\s*")(?:[^"\\]|\\.)*`, 'gi'), `$1${REMOVED}`],
  [
    new RegExp(String.raw`((?:^|[^\w"])[\w.-]*(?:${NAMES})\s*=\s*)(?:"[^"]*"|'[^']*'|[^\s;&,"']+)`, 'gi'),
    `$1${REMOVED}`,
  ],
]

/** The text without parts that look like a password, a key or a token. */
export const withoutSecrets = (text: string): string =>
  SECRETS.reduce((left, [pattern, instead]) => left.replaceAll(pattern, instead), text)

/** A string of JSON, with the colon after it if it is a key. */
const JSON_STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * JSON text without values that look like a password, a key or a token. Replaces string by string, so that the text
 * stays JSON and every other byte, numbers included, stays the same.
 */
export function jsonWithoutSecrets(text: string): string {
  let isSecret = false
  return text.replaceAll(JSON_STRING, (token: string, colon: string | undefined) => {
    if (colon !== undefined) {
      isSecret = isSecretName(token.slice(1, token.lastIndexOf('"')))
      return token
    }
    const wasSecret = isSecret
    isSecret = false
    if (wasSecret) return token === '""' ? token : JSON.stringify(REMOVED)
    const value = textOf(token)
    const left = value === null ? null : withoutSecrets(value)
    return left === null || left === value ? token : JSON.stringify(left)
  })
}

/** Values with these names are secrets; the JSON of a certificate may contain its key. */
const SECRET_NAME = new RegExp(String.raw`(?:${NAMES}|certificate|pfx|license)$`, 'i')
const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

/** Decoded text of a JSON string; null if it is not valid, such as at the end of a truncated response. */
function textOf(token: string): string | null {
  try {
    return JSON.parse(token) as string
  } catch {
    return null
  }
}
