import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, expect, test } from 'vitest';
import corpus from '#upstream/fixtures/endpoint-urls.json' with { type: 'json' };
import { listenRaw, type RawServer } from '#upstream/testing/raw-server.ts';
import { createUpstreamClient, streamingTimeouts, type UpstreamClient } from './client.ts';
import { UpstreamError } from './upstream-error.ts';

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
let canaries: RawServer[] = [];

beforeEach(async () => {
  const answer = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
  canaries = await Promise.all(
    loopback.map(({ address }) => listenRaw((socket) => socket.end(answer), address)),
  );
});

afterEach(() => Promise.all(canaries.map((canary) => canary.close())));

const countVisits = () => canaries.map((canary) => canary.connections.length);

function createClient(allowPrivate: boolean, resolve = async () => loopback): UpstreamClient {
  return createUpstreamClient({ policy: { allowPrivate }, resolve });
}

async function visit(client: UpstreamClient, url: URL, canary: RawServer | undefined): Promise<string> {
  url.port = String(canary?.port);
  const timeouts = { ...streamingTimeouts, connectMs: 2000, firstByteMs: 2000 };
  const { signal } = new AbortController();
  try {
    const { status } = await client.send({ url, method: 'GET', headers: {}, body: null, signal, timeouts });
    return `answered ${status}`;
  } catch (error) {
    return error instanceof UpstreamError ? error.code : String(error);
  }
}

test('the guard blocks every spelling of a forbidden destination, even if every name resolves to the canary', async () => {
  const client = createClient(false);
  // Public addresses are excluded: the guard allows them, but tests must not call them.
  const urls = corpus
    .filter(({ group }) => group !== 'public addresses')
    .flatMap((row) => row.urls.map((text) => URL.parse(text)).filter((url) => url !== null));
  const outcomes = new Set<string>();
  for (const canary of canaries) for (const url of urls) outcomes.add(await visit(client, url, canary));
  expect(urls.length).toBeGreaterThan(200);
  expect([...outcomes].sort()).toEqual(['blocked_address', 'invalid_request']);
  expect(countVisits()).toEqual([0, 0]);
});

test('the guard allows private destinations for operators who enable them', async () => {
  const client = createClient(true);
  const [ipv4, ipv6] = canaries;
  expect(await visit(client, new URL('http://0x7f.1/'), ipv4)).toBe('answered 200');
  expect(await visit(client, new URL('http://[::1]/'), ipv6)).toBe('answered 200');
  expect(await visit(client, new URL('http://provider.test/'), ipv4)).toBe('answered 200');
  expect(countVisits()).toEqual([2, 1]);
});

test('the guard rejects a name with one private address before connecting to any of its addresses', async () => {
  const client = createClient(false, async () => [{ address: '8.8.8.8', family: 4 }, ...loopback]);
  expect(await visit(client, new URL('http://provider.test/'), canaries[0])).toBe('blocked_address');
  expect(countVisits()).toEqual([0, 0]);
});

test('the guard rejects a name whose second connection resolves to a private address', async () => {
  const answers = ['127.0.0.1', '169.254.169.254'];
  const client = createClient(true, async () => [{ address: answers.shift() ?? '', family: 4 }]);
  expect(await visit(client, new URL('http://provider.test/'), canaries[0])).toBe('answered 200');
  expect(await visit(client, new URL('http://provider.test/'), canaries[0])).toBe('blocked_address');
  expect(answers).toEqual([]);
  expect(countVisits()).toEqual([1, 0]);
});
