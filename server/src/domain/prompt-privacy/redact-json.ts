import { redactText } from './redact-text.ts';

/** String literal, or the start of one at the end of a truncated text. */
const literal = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;
const secretName =
  /(?:passwort|password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|token)$/i;

/** The body may be truncated. The value of a property such as "password" is replaced as a whole. */
export function redactJson(text: string): string {
  let redacted = '';
  let end = 0;
  let name = '';
  for (const { 0: quoted, index } of text.matchAll(literal)) {
    const between = text.slice(end, index);
    redacted += redactText(between);
    const said = readLiteral(quoted);
    const isValueOfName = /^\s{0,8}:\s{0,8}$/.test(between);
    redacted += writeLiteral(quoted, said, isValueOfName && secretName.test(name));
    name = said ?? '';
    end = index + quoted.length;
  }
  return redacted + redactText(text.slice(end));
}

function writeLiteral(quoted: string, said: string | null, isSecret: boolean): string {
  if (said === null) return '"[cut]"';
  if (said === '') return quoted;
  const kept = isSecret ? '[secret]' : redactText(said);
  return kept === said ? quoted : JSON.stringify(kept);
}

/** Parses a possibly truncated string literal. Returns `null` if the literal is invalid. */
function readLiteral(quoted: string): string | null {
  const attempts = [quoted, `${quoted}"`, `${quoted.replace(/\\(?:u[0-9a-f]{0,3})?$/i, '')}"`];
  const readable = attempts.find((attempt) => escapes.test(attempt));
  return readable === undefined ? null : JSON.parse(readable.replace(/\p{Cc}/gu, ' '));
}

/** Matches valid escapes. Checked in advance, because throwing an error for each of many literals is slow. */
const escapes = /^"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"$/;
