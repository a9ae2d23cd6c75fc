import { expect, it } from 'vitest';
import { foldName, foldPassword, foldText, normalizeLongText } from './fold-text.ts';
import { changeOwnPasswordBody, loginForm } from './routes/auth.ts';
import { addBlacklistEntryBody } from './routes/blacklist.ts';
import { acceptInvitationBody } from './routes/invitations.ts';
import { createLlmProviderBody } from './routes/llm-providers.ts';
import { resetPasswordBody } from './routes/password-resets.ts';
import { confirmSignupBody, signupBody } from './routes/signup.ts';
import { createTenantBody } from './routes/tenants.ts';
import { createUserBody } from './routes/users.ts';

it.each([
  ['Zürich', 'zurich'],
  ['ZU\u0308RICH', 'zürich'],
  ['STRASSE', 'straße'],
  ['Łódź', 'lodz'],
  ['İstanbul', 'istanbul'],
  ['ΟΔΟΣ', 'οδός'],
  ['ﬁle', 'FILE'],
  ['Ｓｌｕｉｃｅ', 'sluice'],
  ['re\u00adport\u200b', 'report'],
])('foldText folds %j and %j to the same text', (text, typed) => {
  expect(foldText(text)).toBe(foldText(typed));
});

it.each([
  ['が', 'か'],
  ['한', '하'],
  ['की', 'का'],
])('foldText distinguishes %j from %j, which is another letter', (one, other) => {
  expect(foldText(one)).not.toBe(foldText(other));
});

it.each([
  ['Cafe\u0301', 'CAFÉ'],
  ['Plat\u200dform', 'Platform'],
  ['Ｔｅａｍ\u00a0 A', 'team a'],
])('foldName treats %j and %j as one name', (one, other) => {
  expect(foldName(one)).toBe(foldName(other));
});

it('foldName distinguishes names that differ in an accent', () => {
  expect(foldName('Café')).not.toBe(foldName('Cafe'));
});

it('foldPassword composes letters, drops invisible characters and preserves case', () => {
  expect(foldPassword('Pa\u0308ss\u00a0wo\u200brd')).toBe('Päss word');
});

const passwordFields = [
  ['createUser', createUserBody, 'password'],
  ['signUp', signupBody, 'password'],
  ['acceptInvitation', acceptInvitationBody, 'password'],
  ['resetPassword', resetPasswordBody, 'password'],
  ['changeOwnPassword', changeOwnPasswordBody, 'new_password'],
  ['createTenant', createTenantBody, 'administrator_password'],
] as const;

it.each(passwordFields)(
  'the password field of %s composes letters, and its minimum length ignores accents and invisible characters',
  (_name, body, field) => {
    const schema: unknown = Reflect.get(body.shape, field);
    const { parse, safeParse } = schema as typeof createUserBody.shape.password;
    expect(parse('pa\u0308ssword')).toBe('pässword');
    expect(safeParse('a\u0301e\u0301o\u0301').success).toBe(false);
    expect(safeParse('\u200b'.repeat(8)).success).toBe(false);
  },
);

/** One letter with many accents, in an order that normalization must sort. */
const accents = `a${'\u0315\u0316'.repeat(100_000)}`;

it.each(passwordFields)(
  '%s rejects a new password of 200,000 accents within 500 ms',
  (_name, body, field) => {
    const schema: unknown = Reflect.get(body.shape, field);
    const { safeParse } = schema as typeof createUserBody.shape.password;
    const startedMs = performance.now();
    expect(safeParse(accents).success).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(500);
  },
);

it.each([
  ['createUser', createUserBody, 'name'],
  ['acceptInvitation', acceptInvitationBody, 'name'],
  ['createTenant', createTenantBody, 'name'],
] as const)('%s rejects a name of 200,000 accents within 500 ms', (_name, body, field) => {
  const schema: unknown = Reflect.get(body.shape, field);
  const { safeParse } = schema as typeof createUserBody.shape.name;
  const startedMs = performance.now();
  expect(safeParse(accents).success).toBe(false);
  expect(performance.now() - startedMs).toBeLessThan(500);
});

it('routes that set or verify a password accept 128 letters whose accents are typed separately', () => {
  const typed = 'a\u0308'.repeat(128);
  expect(createUserBody.shape.password.safeParse(typed).success).toBe(true);
  expect(loginForm.shape.password.safeParse(typed).success).toBe(true);
  expect(confirmSignupBody.shape.password.safeParse(typed).success).toBe(true);
  expect(changeOwnPasswordBody.shape.current_password.safeParse(typed).success).toBe(true);
});

it('addBlacklistEntryBody and createLlmProviderBody reject invisible characters in model names', () => {
  const entry = { provider_key: 'openai', reason: 'Policy violation' };
  expect(addBlacklistEntryBody.safeParse({ ...entry, model_pattern: 'gpt-4o*' }).success).toBe(true);
  expect(addBlacklistEntryBody.safeParse({ ...entry, model_pattern: 'gpt\u200b-4o' }).success).toBe(false);
  const instance = { provider_registry_id: 1, provider_instance_name: 'Main' };
  for (const [model, isValid] of [
    ['gpt-4o', true],
    ['gpt-4o\u2060', false],
  ] as const)
    expect(createLlmProviderBody.safeParse({ ...instance, enabled_models: [model] }).success).toBe(isValid);
});

it.each(['Ｃafé', 'e\u0301 ﬁ Å', 'ก็ำ', `a${'\u0301'.repeat(30)}`])(
  'normalizeLongText returns the NFKC form of %j',
  (text) => expect(normalizeLongText(text)).toBe(text.normalize('NFKC')),
);

it('normalizeLongText keeps at most 30 marks in a row', () => {
  const text = normalizeLongText(`b${'\u0315\u0316'.repeat(100_000)}c`);
  expect(text).toMatch(/^b\p{M}{30}c$/u);
});
