import type { LookupAddress, LookupOptions } from 'node:dns';
import { expect, test } from 'vitest';
import corpus from '#upstream/fixtures/endpoint-urls.json' with { type: 'json' };
import { checkEndpointUrl, guardedLookup, type ResolveHost } from './outbound-guard.ts';

const strict = { allowPrivate: false };
const open = { allowPrivate: true };

const cases = corpus.flatMap(({ group, mayCall, urls }) => urls.map((url) => ({ group, mayCall, url })));

test.each(cases)(
  'checkEndpointUrl for $group: calls to $url are allowed for $mayCall',
  ({ mayCall, url }) => {
    expect(checkEndpointUrl(url, strict).ok).toBe(mayCall === 'everyone');
    expect(checkEndpointUrl(url, open).ok).toBe(mayCall !== 'nobody');
  },
);

test.each([
  ['HTTPS://API.EXAMPLE.COM./V1', 'https://api.example.com/V1'],
  ['https://bücher.example:443', 'https://xn--bcher-kva.example/'],
  ['http://0x7f.1:8000/v1', 'http://127.0.0.1:8000/v1'],
])('checkEndpointUrl normalizes %s to %s', (text, href) => {
  expect(checkEndpointUrl(text, open)).toEqual({ ok: true, url: new URL(href) });
});

test('checkEndpointUrl explains why it rejects a URL', () => {
  const reasonFor = (text: string) => {
    const verdict = checkEndpointUrl(text, strict);
    return verdict.ok ? null : verdict.reason;
  };
  expect(reasonFor('nonsense')).toBe('This is not a valid URL');
  expect(reasonFor('http://10.0.0.1')).toBe(
    '10.0.0.1 is in the private range, which is refused unless SLUICE_ALLOW_PRIVATE_ENDPOINTS is 1',
  );
  expect(reasonFor('http://user:hunter2@example.com')).toBe(
    'The URL must not contain a user name or password',
  );
  expect(reasonFor('https://example.com:5432')).toBe(
    'Port 5432 is not allowed, because it belongs to another protocol',
  );
});

const resolveTo =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

function lookUp(resolve: ResolveHost, policy = strict, options: LookupOptions = { all: true }) {
  return new Promise<{ address: string | LookupAddress[]; family?: number }>((onAddress, onError) => {
    guardedLookup(policy, resolve)('provider.test', options, (error, address, family) => {
      if (error) onError(error);
      else onAddress({ address, family });
    });
  });
}

test('guardedLookup returns all addresses or the first, as the socket requests', async () => {
  const resolve = resolveTo('8.8.8.8', '2606:4700::1');
  const all = [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ];
  expect(await lookUp(resolve)).toEqual({ address: all });
  expect(await lookUp(resolve, strict, {})).toEqual({ address: '8.8.8.8', family: 4 });
});

test.each([
  [['8.8.8.8', '10.0.0.1'], 'private'],
  [['2606:4700::1', '::1'], 'loopback'],
  [['8.8.8.8', '8.8.4.4', '169.254.169.254'], 'metadata'],
  [['::ffff:8.8.8.8'], 'translated'],
  [['fe80::1%eth0'], 'link-local'],
  [['not-an-address'], 'invalid'],
])('guardedLookup rejects a name if one of %j is forbidden', async (addresses, range) => {
  await expect(lookUp(resolveTo(...addresses))).rejects.toThrow(
    `provider.test resolves to an address in the ${range} range`,
  );
});

test('guardedLookup checks the current addresses of a name at each lookup', async () => {
  const answers = ['8.8.8.8', '127.0.0.1'];
  const rebinding: ResolveHost = async () => [{ address: answers.shift() ?? '', family: 4 }];
  expect(await lookUp(rebinding)).toEqual({ address: [{ address: '8.8.8.8', family: 4 }] });
  await expect(lookUp(rebinding)).rejects.toThrow('loopback');
});

test('guardedLookup allows loopback, private and shared addresses if operators allow them, but no other special ranges', async () => {
  for (const address of ['127.0.0.1', '::1', '10.0.0.1', 'fd00::1', '100.64.0.1'])
    expect(await lookUp(resolveTo(address), open)).toMatchObject({ address: [{ address }] });
  for (const address of ['169.254.169.254', 'fe80::1', '0.0.0.0', '224.0.0.1', '::ffff:127.0.0.1'])
    await expect(lookUp(resolveTo(address), open)).rejects.toThrow('resolves to');
});
