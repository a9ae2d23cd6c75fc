import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { describeUse } from './recent-use.tsx';

const now = Date.parse('2026-11-26T12:00:00.000Z');
const last_request_at = '2026-11-26T11:57:00.000Z';

it.each([
  [
    { requests: 471, users: 12 },
    '471 requests in the last 24 hours by 12 users, the last one 3 minutes ago.',
  ],
  [{ requests: 1, users: 1 }, '1 request in the last 24 hours by 1 user, the last one 3 minutes ago.'],
  [
    { requests: 100_000, users: 480, is_exact: false },
    'At least 100,000 requests in the last 24 hours by 480 users, the last one 3 minutes ago.',
  ],
  [
    { requests: 0, users: 0, is_exact: false, last_request_at: null },
    'At least 0 requests in the last 24 hours by 0 users.',
  ],
])('describeUse describes %j', (use, text) => {
  expect(describeUse({ is_exact: true, last_request_at, ...use }, now)).toBe(text);
});

it('describeUse omits the number of users if a filter selects one user', () => {
  const use = { requests: 3, users: 1, is_exact: true, last_request_at };
  expect(describeUse(use, now, true)).toBe('3 requests in the last 24 hours, the last one 3 minutes ago.');
});

/** Dangerous actions that remove no object used by requests. */
const unused: Readonly<Record<string, string>> = {
  'features/budgets/defaults.tsx': 'names the users whose limit changes',
  'features/budgets/list.tsx': 'shows what is used of the budget',
  'features/identity-providers/domain-section.tsx': 'linked users can still sign in',
  'features/identity-providers/identity-section.tsx': 'concerns one user',
  'features/identity-providers/provider-list.tsx': 'says which sessions end',
  'components/forms/form.tsx': 'discards input that was not saved',
  'components/ui/secret-panel.tsx': 'closes the only view of a secret',
  'features/api-keys/own-key-dialog.tsx':
    'its owner may not read the log; it says when the key was last used',
  'features/blacklist/screen.tsx': 'allows more requests than before',
  'features/invitations/list.tsx': 'ends a link that nobody has used yet',
  'features/management-tokens/use-revoke.ts':
    'programs use it, not requests; it says when the token was last used',
  'features/scim-tokens/panel.tsx':
    'an identity provider uses it, not requests; it says when the token was last used',
  'features/scim-tokens/token-dialog.tsx':
    'an identity provider uses it, not requests; it says when the token was last used',
  'features/second-factor/recovery-codes.tsx': 'closes the only view of the codes',
  'features/shadow-runs/use-remove-run.ts': 'deletes a report; it says how many verdicts',
  'features/tenant-credits/payment-methods-panel.tsx':
    'removes a card; its text names the plan that needs it',
  'features/users/actions.ts': 'ends sessions of a user; requests use API keys, which stay valid',
};

const root = join(import.meta.dirname, '..', '..');
const dangers = /isDanger: true|\bisDanger(?==\{|$)|color="danger"/gm;
const uses = /\binUse: |<RecentUse/g;
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

it('every dialog for a destructive action shows the recent use of the object, except in the listed files', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(components|features)\/.*\.tsx?$/.test(path) && !/\.test\./.test(path))
    .filter((path) => path !== relative(root, join(import.meta.dirname, 'confirm-dialog.tsx')));
  const found = files.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const dangerCount = count(text, dangers);
    return dangerCount === 0 ? [] : [{ path, dangerCount, useCount: count(text, uses) }];
  });
  expect(found.length).toBeGreaterThan(12);
  const silent = found.filter(
    ({ path, dangerCount, useCount }) => !(path in unused) && useCount < dangerCount,
  );
  expect(silent).toEqual([]);
  const paths = new Set(found.map(({ path }) => path));
  expect(Object.keys(unused).filter((path) => !paths.has(path))).toEqual([]);
});
