import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract, parseEmail, type RouteRow } from './index.ts';
import { inputFields } from './testing/input-fields.ts';

/** Spellings of email addresses that look like `ceo@example.com` but are different addresses. */
const lookAlikes = {
  'zero-width space': 'ceo\u200b@example.com',
  'zero-width joiner in the domain': 'ceo@exa\u200dmple.com',
  'word joiner': 'c\u2060eo@example.com',
  'soft hyphen': 'ce\u00ado@example.com',
  'right-to-left override': '\u202eceo@example.com',
  'left-to-right isolate': 'ceo\u2066@example.com',
  'variation selector': 'ceo\ufe0f@example.com',
  'tag character': 'ceo\u{e0061}@example.com',
  'byte order mark inside': 'c\ufeffeo@example.com',
  'Hangul filler': 'ceo\u3164@example.com',
  'control character': 'ceo\u0007@example.com',
  'line break': 'ceo\r\nBcc: eve@example.com',
  'line break before the at sign': 'ceo\n@example.com',
  'no-break space': 'ce\u00a0o@example.com',
  'Cyrillic letter in the local part': 'c\u0435o@example.com',
  'Cyrillic local part': '\u0441\u0435\u043e@example.com',
  'Greek omicron in the local part': 'ce\u03bf@example.com',
  'dotless i': 'ma\u0131l@example.com',
  'Latin script g': '\u0261race@example.com',
  'combining mark': 'ce\u0301o@example.com',
  'Cyrillic letter in the domain': 'ceo@ex\u0430mple.com',
  'Greek letter in the domain': 'ceo@\u03b5xample.com',
  'Armenian letter in the domain': 'ceo@example\u0585.com',
  'Punycode of a mixed domain': 'ceo@xn--exmple-4nf.com',
  'invalid Punycode': 'ceo@xn--\u0061\u0061\u0061\u0061.com',
  'quoted local part': '"ceo"@example.com',
  'quoted space': '"c eo"@example.com',
  comment: 'ceo(x)@example.com',
  'display name': 'CEO <ceo@example.com>',
  'two addresses': 'ceo@example.com,eve@example.com',
  'second at sign': 'ceo@eve@example.com',
  'trailing dot of the domain': 'ceo@example.com.',
  'dot before the at sign': 'ceo.@example.com',
  'leading dot': '.ceo@example.com',
  'double dot': 'c..eo@example.com',
  'double dot in the domain': 'ceo@example..com',
  'address literal': 'ceo@[127.0.0.1]',
  'numeric domain': 'ceo@127.0.0.1',
  'hexadecimal domain': 'ceo@0x7f.0x1',
  'domain without a dot': 'ceo@localhost',
  'percent escape in the domain': 'ceo@ex%61mple.com',
  'path in the domain': 'ceo@example.com/x.com',
} as const;

const spellings = {
  case: 'CEO@Example.COM',
  'surrounding spaces': ' ceo@example.com\t',
  'full-width letters': '\uff43\uff45\uff4f@example.com',
  'full-width at sign and dot': 'ceo\uff20example\uff0ecom',
  'ideographic full stop': 'ceo@example\u3002com',
  'mathematical letters': '\u{1d41c}\u{1d41e}\u{1d428}@example.com',
  'circled letters': '\u24d2\u24d4\u24de@example.com',
};

it.each(Object.entries(lookAlikes))('parseEmail rejects an address with a %s', (_kind, text) => {
  expect(parseEmail(text)).toBeNull();
});

it.each(Object.entries(spellings))('parseEmail normalizes %s', (_kind, text) => {
  expect(parseEmail(text)).toBe('ceo@example.com');
});

it.each([
  ['a+tag@example.co.uk', 'a+tag@example.co.uk'],
  ["o'neil_{x}@a-b.example", "o'neil_{x}@a-b.example"],
  ['info@M\u00fcller.de', 'info@xn--mller-kva.de'],
  ['info@xn--mller-kva.de', 'info@xn--mller-kva.de'],
  ['info@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444', 'info@xn--80a1acny.xn--p1ai'],
  ['a@1password.example', 'a@1password.example'],
])('parseEmail accepts %s', (text, stored) => {
  expect(parseEmail(text)).toBe(stored);
  expect(parseEmail(stored)).toBe(stored);
});

const rows = Object.values<Record<string, RouteRow>>(contract).flatMap((routes) => Object.entries(routes));
const emailFields = rows.flatMap(([name, row]) =>
  inputFields(row)
    .filter(({ path }) => /^(?!send_)(?:.*_)?(?:e?mail|username)$/.test(path.at(-1) ?? ''))
    .map(({ path, schema }) => ({ field: `${name} ${path.join('.')}`, schema })),
);

it('inputFields finds the email fields of the contract', () => {
  expect(emailFields.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['signUp email', 'login username', 'createTenant administrator_email']),
  );
});

it.each(emailFields)('$field rejects addresses that look like another one', ({ field, schema }) => {
  for (const [kind, text] of Object.entries(spellings))
    expect(schema.parse(text), kind).toBe('ceo@example.com');
  for (const [kind, text] of Object.entries(lookAlikes)) {
    const { success, data } = z.safeParse(schema, text);
    // Sign-in does not reject malformed addresses; it reports that no account or provider was found.
    if (['login username', 'getSignInOptions email'].includes(field)) expect(data, kind).toBe(text.trim());
    else expect(success, kind).toBe(false);
  }
});
