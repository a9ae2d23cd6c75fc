import { expect, it } from 'vitest';
import { dropSecretCookie, readSecretCookie } from './by-redirect.ts';

const setCookieOf = (publicUrl: string) => {
  const headers: [string, unknown][] = [];
  dropSecretCookie({ publicUrl }, { setHeader: (name, value) => headers.push([name, value]) });
  return headers;
};

it.each([
  ['https://llm.example.com', '__Host-sluice-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure'],
  ['http://localhost:3000', 'sluice-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'],
])('dropSecretCookie at %s sets the cookie %s', (publicUrl, cookie) => {
  expect(setCookieOf(publicUrl)).toEqual([['set-cookie', cookie]]);
});

it.each([
  ['https://llm.example.com', '__Host-sluice-sign-in=a', 'a'],
  ['https://llm.example.com', 'sluice-sign-in=a', null],
  ['http://localhost:3000', 'other=b; sluice-sign-in=a', 'a'],
])('readSecretCookie at %s reads %s as %s', (publicUrl, cookie, secret) => {
  expect(readSecretCookie({ publicUrl }, { readHeader: () => cookie })).toBe(secret);
});
