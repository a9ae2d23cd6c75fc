const mask = '[redacted]';

const maskings: ReadonlyArray<readonly [RegExp, string]> = [
  // User name and password of any URL, then its query string.
  [/(https?:\/\/)[^\s/?#@"'<>]*@/gi, `$1${mask}@`],
  [/\?[\w.~%[\]-]+=[^\s"'<>]*/g, `?${mask}`],
  // Named credentials in headers, JSON fields or prose.
  [/\bbearer\s+[^\s"',;<>]+/gi, `Bearer ${mask}`],
  [
    /((?:api[ _-]?key(?: provided)?|authorization|password|secret|(?:access|auth|refresh|session|id)[_-]?token)\\?["']?\s*[:=]\s*\\?["']?(?:basic\s+)?)[^\s"',;&}<>\\]+/gi,
    `$1${mask}`,
  ],
  // Known formats: Sluice, provider, Google OAuth and AWS keys, JSON web tokens, organization ids.
  [/\b(?:sk-|slc_|gsk_|hf_|r8_|nvapi-|AIza|ya29\.)[\w*.-]{4,}/g, mask],
  [/\b(?:xai|pplx|csk|fw|tgp|ghp|glpat)[-_][\w*]{16,}/g, mask],
  [/\bAKIA[0-9A-Z]{16}\b/g, mask],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, mask],
  [/\b(?:org|proj)[-_][A-Za-z0-9]{8,}/g, mask],
  // Keys masked by the provider still show their first and last characters.
  [/(?<![\w*-])[\w-]*\*{3,}[\w*-]*/g, mask],
];

/**
 * Masks credentials, query strings and anything that looks like a key, so that the text may be logged or shown.
 * Secrets in `known` are masked regardless of their format.
 */
export function scrubSecrets(text: string, known: readonly string[] = []): string {
  const unknown = known.reduce((current, secret) => current.replaceAll(secret, mask), text);
  const scrubbed = maskings.reduce((current, [pattern, mask]) => current.replace(pattern, mask), unknown);
  return scrubbed.replace(/[\w+/=-]{32,}/g, (token) => (isSecretLike(token) ? mask : token));
}

/**
 * True for long hexadecimal and base64 strings, false for UUIDs, request ids, model names and paths, which help
 * readers.
 */
function isSecretLike(token: string): boolean {
  return token.split(/[/_=+-]/).some((part) => {
    const isMixed = /\d/.test(part) && /[a-z]/i.test(part);
    const isScrambled = isMixed && /[a-z]/.test(part) && /[A-Z]/.test(part);
    return (isMixed && part.length >= 32) || (isScrambled && part.length >= 16 && token.length >= 40);
  });
}
