import { expect, it } from 'vitest';
import { failingHandlers, startHttpServer } from '../../test/console-server.ts';

/** The caller's address as a handler sees it, and which proxies were reported as unnamed. */
async function see(trustedProxies: string[], headers: Record<string, string>) {
  let address = '';
  let isShared: boolean | null = null;
  const reported: string[] = [];
  const { system, ...others } = failingHandlers();
  const handlers: ReturnType<typeof failingHandlers> = {
    ...others,
    system: {
      ...system,
      async getHealth(ctx) {
        address = ctx.address;
        isShared = ctx.isAddressShared;
        return { status: 'ok' };
      },
    },
  };
  const server = await startHttpServer({
    handlers,
    trustedProxies,
    onUnnamedProxy: (proxy) => reported.push(proxy),
  });
  await fetch(`${server.origin}/healthz`, { headers });
  await server.close();
  return { address, isShared, reported };
}

it.each([
  ['nobody is trusted', [], '203.0.113.9', '127.0.0.1'],
  ['another proxy is trusted', ['10.0.0.0/8'], '203.0.113.9', '127.0.0.1'],
  ['the proxy is trusted', ['127.0.0.0/8'], '203.0.113.9', '203.0.113.9'],
  ['the caller made up a header before', ['127.0.0.0/8'], '198.51.100.1, 203.0.113.9', '203.0.113.9'],
])('the address of a caller when %s', async (_name, trustedProxies, forwardedFor, expected) => {
  expect((await see(trustedProxies, { 'x-forwarded-for': forwardedFor })).address).toBe(expected);
});

it.each<[string, string[], Record<string, string>, boolean]>([
  ['a request without a proxy', [], {}, false],
  ['one through a proxy that is named', ['127.0.0.0/8'], { 'x-forwarded-for': '203.0.113.9' }, false],
  ['one through a proxy that is not', [], { 'x-forwarded-for': '203.0.113.9' }, true],
  ['one through another than the named', ['10.0.0.0/8'], { 'x-forwarded-for': '203.0.113.9' }, true],
  ['one through a proxy that says Forwarded', [], { forwarded: 'for=203.0.113.9' }, true],
  ['one through a proxy that says X-Real-IP', [], { 'x-real-ip': '203.0.113.9' }, true],
  ['one through a named proxy that says nothing we read', ['127.0.0.1/32'], { 'x-real-ip': '1.2.3.4' }, true],
])('an address that many share: %s', async (_name, proxies, headers, isShared) => {
  const reported = isShared ? ['127.0.0.1'] : [];
  expect(await see(proxies, headers)).toMatchObject({ isShared, reported });
});
