import { createInvitationBody, readTypedNumber, roleNames } from '@sluice/contract';
import { type AccessFieldName, type AccessOptions, findAccessId } from '#features/access-setup/index.ts';

/** Row of an invitation list with the request body and the validation problem, if any. */
export interface InvitationRow {
  /** Remains in the form if the invitation fails. */
  readonly text: string;
  readonly email: string;
  readonly body: Record<string, unknown>;
  readonly problem: string | null;
}

export interface InvitationRows {
  /** `null` for a plain list of email addresses. */
  readonly header: string | null;
  readonly rows: readonly InvitationRow[];
}

const columns = [
  'email',
  'role',
  'daily_quota',
  'monthly_quota',
  'requests_per_hour',
  'task',
  'team',
  'models',
];
const accessColumns: Readonly<Record<string, AccessFieldName>> = {
  task: 'task_id',
  team: 'team_id',
  models: 'llm_provider_id',
};

/**
 * Reads email addresses with any separator, or a CSV file with an `email` column. Values of a CSV row override
 * `given`.
 */
export function readInvitationRows(
  text: string,
  given: Record<string, unknown>,
  options: AccessOptions,
): InvitationRows {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const separator = [';', '\t', ','].find((mark) => first.includes(mark)) ?? ',';
  const names = splitLine(first, separator).map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'));
  if (!names.includes('email'))
    return { header: null, rows: markRepeated(listAddresses(text).map((one) => check(one, given))) };
  const rows = lines.slice(1).map((line) => {
    const values = splitLine(line, separator);
    const row = readValues(
      names.map((name, place) => [name, values[place] ?? '']),
      options,
    );
    return check({ text: line, ...row, email: String(row.body.email ?? '') }, given);
  });
  return { header: first, rows: markRepeated(rows) };
}

function markRepeated(rows: readonly InvitationRow[]): InvitationRow[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const address = row.email.toLowerCase();
    const isRepeated = row.problem === null && seen.has(address);
    if (row.problem === null) seen.add(address);
    return isRepeated ? { ...row, problem: 'This address is listed twice' } : row;
  });
}

/** Finds the email addresses in a text such as `Ada <ada@one.test>, bob@one.test`. */
function listAddresses(text: string) {
  const words = text.split(/[\s,;<>"]+/).filter((word) => word !== '');
  const addresses = words.filter((word) => word.includes('@'));
  // Other words, such as names, are ignored. If the list contains no email address, each word is reported as invalid.
  const emails = addresses.length > 0 ? addresses : words;
  return emails.map((email) => ({ text: email, email, body: { email }, problem: null }));
}

/** Quoted fields may contain the separator. */
export function splitLine(line: string, separator: string): string[] {
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let place = 0; place < line.length; place++) {
    const letter = line.charAt(place);
    if (isQuoted && letter === '"' && line.charAt(place + 1) === '"') field += line.charAt(place++);
    else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      fields.push(field);
      field = '';
    } else field += letter;
  }
  return [...fields, field].map((text) => text.trim());
}

function readValues(pairs: readonly (readonly [string, string])[], options: AccessOptions) {
  const body: Record<string, unknown> = {};
  let problem: string | null = null;
  for (const [name, value] of pairs) {
    if (value === '') continue;
    const access = accessColumns[name];
    if (!columns.includes(name)) problem ??= `Unknown column ${name}`;
    else if (access) {
      body[access] = findAccessId(access, value, options);
      if (body[access] === undefined) problem ??= `There is no ${name} "${value}"`;
    } else if (name === 'email') body.email = value;
    else if (name === 'role') {
      body.role = roleNames.find((role) => role === value.toLowerCase());
      if (body.role === undefined) problem ??= `There is no role "${value}"`;
    } else body[name] = value.toLowerCase() === 'unlimited' ? null : (readTypedNumber(value) ?? value);
  }
  return { body, problem };
}

function check({ text, email, body, problem }: InvitationRow, given: Record<string, unknown>): InvitationRow {
  const whole = { ...given, ...body };
  const parsed = createInvitationBody.safeParse(whole);
  const invalid = parsed.success ? null : (parsed.error.issues[0]?.message ?? 'This row is not valid');
  return { text, email, body: whole, problem: problem ?? invalid };
}
