export function replaceSecrets(text: string): string {
  return text
    .replace(privateKey, '[private-key]')
    .replace(urlCredentials, '[password]@')
    .replace(bearer, (whole, scheme: string, token: string) =>
      /\d/.test(token) || token.length >= 24 ? `${scheme} [token]` : whole,
    )
    .replace(jsonWebToken, '[token]')
    .replace(prefixedKey, (whole) => (isRandom(whole) ? '[api-key]' : whole))
    .replace(assignment, replaceAssigned);
}

// Without an end marker, the key extends to the end of the truncated text.
const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z0-9 ]{0,60}-----)?/g;

/** User name and password before a host. */
const urlCredentials = /(?<=:\/\/)[^\s/:@"']{0,100}:[^\s/@"']{1,200}@/g;

const bearer = /\b(Bearer|Basic|Token)[ \t]{1,4}([A-Za-z0-9._~+/=-]{8,})/gi;

const jsonWebToken = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)*/g;

const prefixedKey =
  /(?<![A-Za-z0-9_-])(?:sk-|sk_|pk_|rk_|slc_|ghp_|gho_|ghs_|ghu_|ghr_|github_pat_|glpat-|xox[abeprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|hf_|gsk_|xai-|pplx-|r8_|npm_|pypi-|SG\.|whsec_|shpat_|dop_v1_|key-|AGE-SECRET-KEY-)[A-Za-z0-9_.-]{12,}/g;

/** Consecutive words, as in `sk-learn-pipelines`, are not a key. */
function isRandom(key: string): boolean {
  return /\d/.test(key) || (/[a-z]/.test(key) && /[A-Z]/.test(key));
}

// Matches `dbPassword = x`, `"api_key": "x"` and `my password is x1`. After an unclosed quote, the rest of the line
// is the value.
const assignment =
  /(passwort|password|passwd|passphrase|pwd|pin|secret(?:[_-]?access)?(?:[_-]?key)?|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|token)(\\?["'`]?[ \t]{0,4}(?:=>|:=|==?|:|[ \t]is[ \t])[ \t]{0,4})(\\?"[^"\n]*"?|'[^'\n]*'?|`[^`\n]*`?|[^\s"'`,;<>(){}[\]]+)/gi;

function replaceAssigned(
  whole: string,
  name: string,
  sign: string,
  value: string,
  offset: number,
  text: string,
): string {
  const bare = value.replace(/^\\?["'`]|\\?["'`]$/g, '');
  const isQuoted = bare.length < value.length;
  if (!isQuoted && isCode(bare, text[offset + whole.length])) return whole;
  if (bare.length < 2 || isMarker(bare) || (sign.trim() === 'is' && !/[\d\W_]/.test(bare))) return whole;
  if (/^pin$/i.test(name) && !/^\d{3,}/.test(bare)) return whole;
  const opening = /^\\?["'`]/.exec(value)?.[0] ?? '';
  const closing = isQuoted ? (/\\?["'`]$/.exec(value.slice(opening.length))?.[0] ?? '') : '';
  const marker = /^(?:pass|pwd|pin)/i.test(name) ? '[password]' : '[secret]';
  return `${name}${sign}${opening}${marker}${closing}`;
}

const isMarker = (value: string): boolean => /^(?:(?:Bearer|Basic|Token) )?\[[a-z-]+\]/i.test(value);

/**
 * Whether the value is code rather than a secret: a type, an empty value, a call or a variable, as in `password:
 * string` or `token = read()`.
 */
function isCode(value: string, next: string | undefined): boolean {
  if (next === '(' || next === '[' || next === '{') return true;
  return /^(?:string|str|number|int|bool|boolean|any|null|none|nil|undefined|true|false|optional|required|bearer|basic|\d{1,3}|process\.env\S*|os\.\S*|\$\S*)$/i.test(
    value,
  );
}
