import { expect, it } from 'vitest';
import { findPasskeySite } from './verify-passkey.ts';

it.each([
  ['https://sluice.example.com', { origin: 'https://sluice.example.com', domain: 'sluice.example.com' }],
  [
    'https://sluice.example.com:8443/gate',
    { origin: 'https://sluice.example.com:8443', domain: 'sluice.example.com' },
  ],
  ['http://localhost:8080', { origin: 'http://localhost:8080', domain: 'localhost' }],
  ['http://sluice.example.com', null],
  ['https://192.0.2.7', null],
  ['https://[2001:db8::7]', null],
])('findPasskeySite for the public URL %s returns %j', (publicUrl, site) => {
  expect(findPasskeySite(publicUrl)).toEqual(site);
});
