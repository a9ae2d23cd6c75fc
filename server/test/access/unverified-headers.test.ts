import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type Attempt, createPreparer, rows, send, workerVariables } from './attempts.ts';
import { callerKinds } from './callers.ts';
import { createWorld } from './world.ts';

const forgedHost = 'forged.example';
const forgedAddress = '198.51.100.77';

const unverified: Record<string, string> = {
  'x-forwarded-for': forgedAddress,
  forwarded: `for=${forgedAddress};host=${forgedHost};proto=https`,
  'x-real-ip': forgedAddress,
  'x-client-ip': forgedAddress,
  'x-cluster-client-ip': forgedAddress,
  'x-original-forwarded-for': forgedAddress,
  'true-client-ip': forgedAddress,
  'cf-connecting-ip': forgedAddress,
  'fastly-client-ip': forgedAddress,
  via: `1.1 ${forgedHost}`,
  'x-forwarded-proto': 'https',
  'x-forwarded-host': forgedHost,
  'x-forwarded-server': forgedHost,
  'x-original-url': '/healthz',
  origin: `https://${forgedHost}`,
  referer: `https://${forgedHost}/`,
  'user-agent': 'another client',
};

const anonymous = callerKinds.find(({ credential }) => credential === 'none')!;
const openRows = rows.filter(([, row]) => row.permission === 'anyone');

let database: TestDatabase;
let worker: RunningServer;
const attempts = new Map<string, Attempt>();
const throttled = new Map<string, string[]>();

beforeAll(async () => {
  database = await createTestDatabase();
  const prepare = createPreparer(await createWorld(database.pool));
  worker = await startWorker({ connectionString: database.connectionString, variables: workerVariables });
  for (const [rowName, row] of openRows) {
    const make = async () => (await prepare({ rowName, row, kind: anonymous }))[0]!;
    await database.pool.query('DELETE FROM login_attempts');
    await send(worker.origin, row, await make());
    const { rows: counters } = await database.pool.query<{ subject: string }>(
      `SELECT subject FROM login_attempts WHERE subject LIKE '%:127.0.0.1'`,
    );
    if (counters.length > 0)
      throttled.set(
        rowName,
        counters.map(({ subject }) => subject),
      );
    attempts.set(rowName, await make());
  }
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

const ask = (rowName: string, headers: Record<string, string>) => {
  const [, row] = openRows.find(([name]) => name === rowName)!;
  return send(worker.origin, row, attempts.get(rowName)!, headers);
};

/** Simulates an IP address that has used its 100 attempts in the current and the next hour. */
async function useUp(subjects: string[]): Promise<void> {
  await database.pool.query(
    `INSERT INTO login_attempts (subject, window_start, attempts)
     SELECT subject, date_trunc('hour', now()) + hours * interval '1 hour', 100
     FROM unnest($1::text[]) subject, generate_series(0, 1) hours
     ON CONFLICT (subject, window_start) DO UPDATE SET attempts = excluded.attempts`,
    [subjects],
  );
}

it('every route that checks a secret of an anonymous caller counts attempts per IP address', () => {
  expect([...throttled.keys()].sort()).toEqual([
    'acceptInvitation',
    'authorizeDevice',
    'completeSignIn',
    'confirmSignup',
    'createSetupIntent',
    'finishPasskeySignIn',
    'getInvitationDetails',
    'getPasswordReset',
    'getSignupConfirmation',
    'issueToolToken',
    'login',
    'receiveBackchannelLogout',
    'redirectToProvider',
    'requestPasswordReset',
    'resendSignupConfirmation',
    'resetPassword',
    'revokeToolToken',
    'signUp',
    'startSignIn',
  ]);
});

describe.each(Object.entries(unverified))('unverified %s header', (name, value) => {
  it(`the unverified header ${name} raises no limit of any route`, async () => {
    const statuses: Record<string, number> = {};
    for (const [rowName, subjects] of throttled) {
      await useUp(subjects);
      statuses[rowName] = (await ask(rowName, { [name]: value })).status;
    }
    expect(statuses).toEqual(Object.fromEntries([...throttled.keys()].map((rowName) => [rowName, 429])));
  });

  it(`the unverified header ${name} appears in no response, session, mail, audit entry or banner, and adds no cookie or redirect`, async () => {
    await database.pool.query('DELETE FROM login_attempts');
    for (const [rowName] of openRows) {
      const { body, headers } = await ask(rowName, { [name]: value });
      const answer = body + JSON.stringify(headers);
      expect(answer, rowName).not.toContain(forgedHost);
      expect(answer, rowName).not.toContain(forgedAddress);
      // The route redirects to the provider with a cookie of its own, unless earlier attempts still count.
      if (rowName === 'redirectToProvider') continue;
      expect(headers, rowName).not.toHaveProperty('set-cookie');
      // The redirect URI opens a console page, so its location has a path without an origin.
      if (rowName === 'receiveRedirect') expect(headers.location).toMatch(/^\/login\/callback\//);
      else expect(headers, rowName).not.toHaveProperty('location');
    }
    const { rows: written } = await database.pool.query<{ text: string }>(
      `SELECT sessions::text AS text FROM sessions UNION ALL SELECT mails::text FROM mails
       UNION ALL SELECT audit_entries::text FROM audit_entries UNION ALL SELECT banners::text FROM banners`,
    );
    const texts = written.map(({ text }) => text);
    expect(texts.filter((text) => text.includes(forgedHost) || text.includes(forgedAddress))).toEqual([]);
  });
});
