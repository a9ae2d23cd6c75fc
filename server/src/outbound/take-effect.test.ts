import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { type OutboundEffect, type OutboundEffectName, outboundEffects } from '#domain/outbound-effects.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { type EffectUse, requireEffect } from './take-effect.ts';

let database: TestDatabase;
let system: SystemDatabase;
let tenantId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database, 'tenants', 'outbound_counts');
  tenantId = await addTenant(database.pool, 'One');
});

const names = Object.keys(outboundEffects) as OutboundEffectName[];
const limited = names.flatMap((effect) =>
  Object.entries<{ max: number }>(outboundEffects[effect].limits).map(([scope, { max }]) => ({
    effect,
    scope,
    max,
  })),
);

/** Returns a use whose only common subject with other uses is that of one scope. */
const useOf = (effect: OutboundEffectName, scope: string, number: number): EffectUse => ({
  effect,
  tenantId: scope === 'tenant' ? tenantId : null,
  actorId: scope === 'actor' ? 7 : null,
  recipient: scope === 'recipient' ? `mara+${number}@one.test` : `m${number}@one.test`,
});

it.each(limited)(
  'requireEffect limits $effect per $scope, with an error that names the limit',
  async ({ effect, scope, max }) => {
    await database.pool.query("UPDATE tenants SET status = 'active'");
    for (const number of [0, 1]) await requireEffect(system, useOf(effect, scope, number));
    await database.pool.query('UPDATE outbound_counts SET used = $1 WHERE scope = $2', [max - 1, scope]);
    const attempts = Array.from({ length: 20 }, (_, number) =>
      requireEffect(system, useOf(effect, scope, number + 2)),
    );
    const refused = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(19);
    for (const outcome of refused)
      expect(outcome).toMatchObject({
        reason: {
          status: 429,
          detail: expect.stringContaining(`${max} of ${max} per`),
          retryAfterSeconds: expect.any(Number),
        },
      });
  },
);

it.each([
  ['tag', 'mara@one.test', 'mara+x@one.test', 'MARA@one.test'],
  ['dots and domains of Google', 'mara.lee@gmail.com', 'm.a.r.a.lee+x@googlemail.com', 'Maralee@Gmail.com'],
])('requireEffect counts every %s of a mailbox as one recipient', async (_, ...recipients) => {
  for (const recipient of recipients)
    await requireEffect(system, { ...useOf('invitation', 'recipient', 0), recipient });
  const { rows } = await database.pool.query('SELECT used FROM outbound_counts');
  expect(rows).toEqual([{ used: recipients.length }]);
});

it('requireEffect distinguishes dots of other domains', async () => {
  for (const recipient of ['mara.lee@one.test', 'maralee@one.test'])
    await requireEffect(system, { ...useOf('invitation', 'recipient', 0), recipient });
  expect((await database.pool.query('SELECT FROM outbound_counts')).rowCount).toBe(2);
});

it('requireEffect starts a new window in the same row', async () => {
  const use = useOf('invitation', 'recipient', 0);
  await requireEffect(system, use);
  await database.pool.query(
    "UPDATE outbound_counts SET used = 5, window_start = window_start - interval '1 day'",
  );
  await requireEffect(system, use);
  const { rows } = await database.pool.query('SELECT used FROM outbound_counts');
  expect(rows).toEqual([{ used: 1 }]);
});

it('requireEffect does not count a use in any scope if one scope rejects it', async () => {
  const use = { ...useOf('invitation', 'recipient', 0), tenantId, actorId: 7 };
  for (let count = 0; count < 5; count++) await requireEffect(system, use);
  await expect(requireEffect(system, use)).rejects.toMatchObject({ status: 429 });
  const { rows } = await database.pool.query('SELECT scope, used FROM outbound_counts ORDER BY scope');
  expect(rows).toEqual(['actor', 'recipient', 'tenant'].map((scope) => ({ scope, used: 5 })));
});

it.each(names)(
  'requireEffect rejects %s for a suspended tenant, except password mails and second factor notices to its administrators',
  async (effect) => {
    await database.pool.query("UPDATE tenants SET status = 'suspended'");
    const { isForSuspended = false }: OutboundEffect = outboundEffects[effect];
    const use = { ...useOf(effect, 'recipient', 0), tenantId };
    await expect(requireEffect(system, use)).rejects.toMatchObject({ status: 403 });
    const ofAdministrator = requireEffect(system, { ...use, isForAdministrator: true });
    if (isForSuspended) await ofAdministrator;
    else await expect(ofAdministrator).rejects.toMatchObject({ status: 403 });
    expect(isForSuspended).toBe(['password_reset', 'second_factor_notice'].includes(effect));
  },
);

const sources = join(import.meta.dirname, '..');
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing/'))
  .map((name) => ({ name: relative('.', name), text: readFileSync(join(sources, name), 'utf8') }));
const filesWith = (pattern: RegExp) =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name)
    .toSorted();

describe('outbound effects', () => {
  it('outbound calls outside of the gateway are made only from the listed modules', () => {
    // The gateway is excluded, since quotas and credits limit its requests. Commands are run by an operator or user.
    const calls = filesWith(/upstream\.send\(|client\.send\(|createTransport\(|\bfetch\(|smtp\.sendMail\(/);
    expect(calls.filter((name) => !name.startsWith('gateway/'))).toEqual([
      'cli/doctor/check-host.ts',
      'cli/import/litellm/read-url.ts',
      'cli/tool-client.ts',
      'console/llm-providers/discover-models.ts',
      'jobs/send-alerts.ts',
      'mail/smtp-transport.ts',
      // The module calls only the bucket set by the operator. A page reads at most 8 texts concurrently.
      'object-store/object-store.ts',
      // The sign-in throttle and the cooldowns of discovery and keys limit these calls.
      'openid/guarded-fetch.ts',
    ]);
    expect(filesWith(/\bdiscoverModels\(/)).toEqual([
      // An operator runs this module from the CLI.
      'cli/commands/providers.ts',
      'console/llm-providers/discover-models.ts',
    ]);
    expect(filesWith(/\.send\(\{ to/)).toEqual(['mail/start-sending.ts']);
    expect(filesWith(/insertMail\(tx,/)).toEqual(['mail/mailbox.ts']);
    expect(filesWith(/\bqueueAgain\(tx,/)).toEqual(['console/outbox/mails.ts']);
  });

  it('modules that queue a mail or test a connection count an effect of the table', () => {
    const counting = /requireEffect\(|takeEffect\(|mailbox\.put(?:Notice)?\(|\.putNotice\(/;
    const used = files
      .filter(({ text }) => counting.test(text))
      .flatMap(({ text }) => [...text.matchAll(/effect: '(\w+)'/g)].map(([, name = '']) => name));
    expect([...new Set(used)].toSorted()).toEqual(names.toSorted());
    for (const name of [
      'jobs/send-alerts.ts',
      'console/outbox/mails.ts',
      'console/llm-providers/discover-models.ts',
    ])
      expect(files.find((file) => file.name === name)?.text, name).toMatch(counting);
  });
});
