import { expect, it } from 'vitest';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Authorized, Ended } from '../exchange.ts';
import { settle } from '../pipeline/settle.ts';
import type { RequestRecord } from '../request-log/request-record.ts';
import { admitCount } from './count-tokens.ts';

it('admitCount releases its hold if the admission cannot be journaled, and its row holds nothing', async () => {
  const hold = { nodeId: 'n', parts: [] };
  const released: unknown[] = [];
  const rows: RequestRecord[] = [];
  // safe because admission and settlement use no other dependencies
  const deps = {
    leases: { admit: () => hold, settle: (one: unknown) => released.push(one) },
    journal: {
      admit: () => Promise.reject(new Error('full')),
      settle: (row: RequestRecord) => rows.push(row),
    },
    node: { nowMs: () => 0 },
    snapshot: { budgets: { size: 0 }, tenants: { get: () => undefined } },
  } as unknown as Parameters<typeof admitCount>[1];
  const instance = { id: 3, name: 'lab', providerKey: 'custom', isServiceManaged: false };
  // safe because admission and settlement read no other fields of a request
  const exchange = {
    id: 'a-request',
    abort: new AbortController().signal,
    principal: { userId: 1, tenantId: 2, credential: { kind: 'session' } },
    head: { set: () => undefined },
    response: {},
    route: { protocol: { id: 'gemini' }, operation: 'tokens.count' },
    targets: [{ instance, model: 'm', teamId: null }],
  } as unknown as Authorized & Ended;
  const failure: unknown = await admitCount(exchange, deps).catch((error: unknown) => error);
  if (!(failure instanceof GatewayError)) throw new Error('it should have been refused', { cause: failure });
  settle(exchange, failure, { ...deps, observer: { onReceived() {}, onEnded() {} } });
  expect(released).toEqual([hold]);
  expect(rows).toMatchObject([
    {
      status: 'error',
      httpStatus: 503,
      errorCode: 'journal_full',
      llmProviderId: 3,
      hold: null,
      costNanoUsd: null,
    },
  ]);
});
