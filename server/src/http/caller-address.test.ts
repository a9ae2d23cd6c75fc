import { expect, it } from 'vitest';
import { failingHandlers, startHttpServer } from '../../test/console-server.ts';

/** The caller's address as a handler sees it. */
async function seenAddress(trustedProxies: string[], forwardedFor: string): Promise<string> {
  let address = '';
  const { system, ...others } = failingHandlers();
  const handlers: ReturnType<typeof failingHandlers> = {
    ...others,
    system: {
      ...system,
      async getHealth(ctx) {
        address = ctx.address;
        return { status: 'ok' };
      },
    },
  };
  const server = await startHttpServer({ handlers, trustedProxies });
  await fetch(`${server.origin}/healthz`, { headers: { 'x-forwarded-for': forwardedFor } });
  await server.close();
  return address;
}

it.each([
  ['nobody is trusted', [], '203.0.113.9', '127.0.0.1'],
  ['another proxy is trusted', ['10.0.0.0/8'], '203.0.113.9', '127.0.0.1'],
  ['the proxy is trusted', ['127.0.0.0/8'], '203.0.113.9', '203.0.113.9'],
  ['the caller made up a header before', ['127.0.0.0/8'], '198.51.100.1, 203.0.113.9', '203.0.113.9'],
])('the address of a caller when %s', async (_name, trustedProxies, forwardedFor, expected) => {
  expect(await seenAddress(trustedProxies, forwardedFor)).toBe(expected);
});
