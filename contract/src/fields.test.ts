import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract, isPlainLine, type RouteRow, toMailLine } from './index.ts';
import { inputFields } from './testing/input-fields.ts';

const hostileLines = {
  'line feed': 'Ada\nYour account is locked',
  'carriage return': 'Ada\rBcc: eve@example.com',
  'line separator': 'Ada\u2028Your account is locked',
  'next line': 'Ada\u0085Your account is locked',
  null: 'Ada\u0000Lovelace',
  escape: 'Ada\u001b[31m',
  'right-to-left override': 'Ada \u202egnp.exe',
  'zero-width space': 'Ada\u200bLovelace',
  'tag characters': 'Ada\u{e0061}\u{e0062}',
  URL: 'Ada https://evil.example/login',
  'URL of another scheme': 'Ada ftp://evil.example',
  'full-width URL': 'Ada \uff48\uff54\uff54\uff50\uff1a\uff0f\uff0fevil.example',
  'mailto link': 'Ada mailto:eve@evil.example',
  'script link': 'javascript:alert(1)',
  'www host': 'Ada WWW.evil.example',
  'domain with a path': 'Ada evil.example/login',
  'domain with a path after a half-width full stop': 'Ada evil\uff61example/login',
  'domain with a path after an ideographic full stop': 'Ada evil\u3002example/login',
  'domain with a path after a one-dot leader': 'Ada evil\u2024example/login',
  'domain with a port': 'Ada evil.example:8080',
  'domain with a query': 'Ada evil.example?x=1',
};

const plainLines = [
  'Ada Lovelace',
  "Conan O'Brien, Jr.",
  'J.R.R. Tolkien',
  'M\u00fcller & S\u00f6hne GmbH',
  '\u5c71\u7530 \u592a\u90ce',
  '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  '\u{1f468}\u200d\u{1f4bb} Team',
  'Booking.com',
  'Amazon.com, Inc.',
  'Migrate Node.js/React to ASP.NET: part 2',
  'Data: clean up and/or archive',
  'gpt-4o at 10:30 (v1.2.3)',
];

it.each(Object.entries(hostileLines))('isPlainLine is false for a %s', (_kind, text) => {
  expect(isPlainLine(text)).toBe(false);
});

it.each(plainLines)('isPlainLine is true for %s', (text) => {
  expect(isPlainLine(text)).toBe(true);
});

it.each(Object.values(hostileLines))('toMailLine returns one line without links for %j', (text) => {
  const line = toMailLine(text);
  expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|:\/\/|@|[a-z][.\u2024\ufe52\uff0e\u3002\uff61][a-z]/u);
  expect(line.length).toBeLessThanOrEqual(80);
});

it('toMailLine keeps names, and shortens names that are too long', () => {
  expect(toMailLine("Conan O'Brien, Jr.")).toBe("Conan O'Brien, Jr.");
  expect(toMailLine('\u5c71\u7530 \u592a\u90ce 2.0')).toBe('\u5c71\u7530 \u592a\u90ce 2.0');
  expect(toMailLine('Booking.com')).toBe('Booking. com');
  expect(toMailLine('x'.repeat(200))).toBe(`${'x'.repeat(79)}\u2026`);
});

/** Values of these fields are compared but never displayed to users. */
const otherNames = new Map([
  ['model_name', 'a model'],
  ['username', 'an email address'],
  ['label', 'a filter by label, or the name of one'],
  ['label_name', 'the name of a label'],
]);

const rows = Object.values<Record<string, RouteRow>>(contract).flatMap((routes) => Object.entries(routes));
const nameFields = rows
  .filter(([, row]) => row.surface === 'management')
  .flatMap(([name, row]) => inputFields(row).map(({ path, schema }) => ({ name, path, schema })))
  .filter(({ path, schema }) => {
    const field = path.at(-1) ?? '';
    return (
      /(?:^|_)(?:name|title|label)$/.test(field) && !otherNames.has(field) && schema instanceof z.ZodString
    );
  })
  // `previewGovernance` scores its task but does not store it.
  .filter(({ name, path }) => !(name === 'previewGovernance' && path[0] === 'task'))
  .map(({ name, path, schema }) => ({ field: `${name} ${path.join('.')}`, schema }));

it('inputFields finds the name fields of the contract', () => {
  expect(nameFields.length).toBeGreaterThan(15);
});

it.each(nameFields)('$field accepts names and rejects anything but a plain line', ({ schema }) => {
  for (const text of plainLines) expect(schema.safeParse(text).success, text).toBe(true);
  for (const [kind, text] of Object.entries(hostileLines))
    expect(schema.safeParse(text).success, kind).toBe(false);
});
