import { expect, it } from 'vitest';
import { isEmailVerified } from './find-account.ts';

const email = 'mara@one.test';
const directory = { issuer: 'https://directory.test', trustsEmails: false };
const trusted = { ...directory, trustsEmails: true };
const google = { issuer: 'https://accounts.google.com', trustsEmails: true };

it.each([
  ['a directory that reports it as verified', directory, { email_verified: true }, true],
  ['a directory that reports it as verified in a string', directory, { email_verified: 'true' }, true],
  ['Entra ID for the owner of a domain', directory, { xms_edov: 1 }, true],
  ['Entra ID for a foreign domain', trusted, { xms_edov: false }, false],
  ['a directory without the claim', directory, {}, false],
  ['a trusted directory without the claim', trusted, {}, true],
  ['a trusted directory that reports it as not verified', trusted, { email_verified: false }, false],
  ['null', trusted, { email_verified: null }, true],
  ['an object', trusted, { email_verified: {} }, false],
  ['Google Workspace', google, { email_verified: true, hd: 'one.test' }, true],
  ['a personal Google account', google, { email_verified: true }, false],
  [
    'a personal Google account at an issuer with a slash',
    { ...google, issuer: `${google.issuer}/` },
    { email_verified: true },
    false,
  ],
  ['a Google Workspace of another domain', google, { email_verified: true, hd: 'two.test' }, false],
])('isEmailVerified returns the expected result for %s', (_, provider, claims, isVerified) => {
  expect(isEmailVerified(provider, { sub: 'mara', email, ...claims })).toBe(isVerified);
});
