import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createUpstreamClient, streamingTimeouts, type UpstreamClient } from '#upstream/client.ts';
import corpus from '#upstream/fixtures/endpoint-urls.json' with { type: 'json' };
import { listenRaw, type RawServer } from '#upstream/testing/raw-server.ts';
import { UpstreamError } from '#upstream/upstream-error.ts';

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

/** Really sends a request to the URL, but to the port of a canary. */
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

test('no spelling of a refused destination reaches a listener, though every name leads to it', async () => {
  const client = createClient(false);
  // A public address is allowed, and no business of a test.
  const urls = corpus
    .filter(({ group }) => group !== 'public addresses')
    .flatMap((row) => row.urls.map((text) => URL.parse(text)).filter((url) => url !== null));
  const outcomes = new Set<string>();
  for (const canary of canaries) for (const url of urls) outcomes.add(await visit(client, url, canary));
  expect(urls.length).toBeGreaterThan(200);
  expect([...outcomes].sort()).toEqual(['blocked_address', 'invalid_request']);
  expect(countVisits()).toEqual([0, 0]);
});

test('the same listeners are reached by an operator who opens private addresses', async () => {
  const client = createClient(true);
  const [ipv4, ipv6] = canaries;
  expect(await visit(client, new URL('http://0x7f.1/'), ipv4)).toBe('answered 200');
  expect(await visit(client, new URL('http://[::1]/'), ipv6)).toBe('answered 200');
  expect(await visit(client, new URL('http://provider.test/'), ipv4)).toBe('answered 200');
  expect(countVisits()).toEqual([2, 1]);
});

test('one private address among public ones refuses the name before any of them is called', async () => {
  const client = createClient(false, async () => [{ address: '8.8.8.8', family: 4 }, ...loopback]);
  expect(await visit(client, new URL('http://provider.test/'), canaries[0])).toBe('blocked_address');
  expect(countVisits()).toEqual([0, 0]);
});

test('a name that is rebound between two connections is refused at the second', async () => {
  const answers = ['127.0.0.1', '169.254.169.254'];
  const client = createClient(true, async () => [{ address: answers.shift() ?? '', family: 4 }]);
  expect(await visit(client, new URL('http://provider.test/'), canaries[0])).toBe('answered 200');
  expect(await visit(client, new URL('http://provider.test/'), canaries[0])).toBe('blocked_address');
  expect(answers).toEqual([]);
  expect(countVisits()).toEqual([1, 0]);
});
