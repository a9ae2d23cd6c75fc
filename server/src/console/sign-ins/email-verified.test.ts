import { expect, it } from 'vitest';
import { isEmailVerified } from './find-account.ts';

const email = 'mara@one.test';
const directory = { issuer: 'https://directory.test', trustsEmails: false };
const trusted = { ...directory, trustsEmails: true };
const google = { issuer: 'https://accounts.google.com', trustsEmails: true };

it.each([
  ['a directory that reports it as verified', true, directory, { email_verified: true }],
  ['a directory that reports it as verified in a string', true, directory, { email_verified: 'true' }],
  ['Entra ID for the owner of a domain', true, directory, { xms_edov: 1 }],
  ['Entra ID for a foreign domain', false, trusted, { xms_edov: false }],
  ['a directory without the claim', false, directory, {}],
  ['a trusted directory without the claim', true, trusted, {}],
  ['a trusted directory that reports it as not verified', false, trusted, { email_verified: false }],
  ['the claim null of a trusted directory', true, trusted, { email_verified: null }],
  ['an object as the claim of a trusted directory', false, trusted, { email_verified: {} }],
  ['Google Workspace', true, google, { email_verified: true, hd: 'one.test' }],
  ['a personal Google account', false, google, { email_verified: true }],
  [
    'a personal Google account at an issuer with a slash',
    false,
    { ...google, issuer: `${google.issuer}/` },
    { email_verified: true },
  ],
  ['a Google Workspace of another domain', false, google, { email_verified: true, hd: 'two.test' }],
])('isEmailVerified for %s returns %s', (_, isVerified, provider, claims) => {
  expect(isEmailVerified(provider, { sub: 'mara', email, ...claims })).toBe(isVerified);
});
