/** Text in place of a secret. */
export const REMOVED = '[removed]'

const NAMES =
  'password|passphrase|passwd|pwd|secret|client[-_]?secret|api[-_]?key|access[-_]?key|account[-_]?key|shared[-_]?access[-_]?key|private[-_]?key|license[-_]?key|auth(?:entication)?[-_]?token|access[-_]?token|refresh[-_]?token|token|credentials?|connection[-_]?string'

/** Texts by which secrets are known, each with what is left of it. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Keys and certificates with keys.
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REMOVED],
  // `Authorization: Bearer …`, also alone.
  [/\b(authorization\s*[:=]\s*"?(?:basic|bearer|negotiate|digest)?\s*)[^\s",;]+/gi, `$1${REMOVED}`],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${REMOVED}`],
  // Tokens that are known by their form: JSON Web Tokens, keys of clouds.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, REMOVED],
  [/\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g, REMOVED],
  [/\bgh[pousr]_\w{20,}/g, REMOVED],
  // `https://user:password@host`.
  [/(\b[a-z][\w+.-]*:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/gi, `$1${REMOVED}`],
  // Signatures of shared addresses.
  [/([?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature)=)[^&\s"']+/gi, `$1${REMOVED}`],
  // `"Password": "…"`, and `Password=…` up to the next part.
  [new RegExp(String.raw`("[\w.-]*(?:${NAMES})"\s*:\s*")(?:[^"\\]|\\.)*`, 'gi'), `$1${REMOVED}`],
  [
    new RegExp(String.raw`((?:^|[^\w"])[\w.-]*(?:${NAMES})\s*=\s*)(?:"[^"]*"|'[^']*'|[^\s;&,"']+)`, 'gi'),
    `$1${REMOVED}`,
  ],
]

/** The text without what looks like a password, a key or a token. */
export const withoutSecrets = (text: string): string =>
  SECRETS.reduce((left, [pattern, instead]) => left.replaceAll(pattern, instead), text)

/** A string of JSON, with the colon behind it where it is a name. */
const JSON_STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * Text of JSON without what looks like a password, a key or a token: string by string, so that it stays JSON, and every
 * other byte, numbers too, stays as it is.
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

/** Certificates of JSON may hold their key. */
const SECRET_NAME = new RegExp(String.raw`(?:${NAMES}|certificate|pfx|license)$`, 'i')
const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

/** Text that a string of JSON stands for; null where it is none, as at the end of a response that was cut. */
function textOf(token: string): string | null {
  try {
    return JSON.parse(token) as string
  } catch {
    return null
  }
}
