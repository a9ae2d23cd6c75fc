import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { apiKeyScopes, createClient, creditsRoutes, portalRoutes, signInsRoutes } from '@sluice/contract';
import { formatApiKey } from '#domain/api-key.ts';
import { sessionLifetimeMs, signSessionToken } from '#platform/tokens.ts';
import type { SluiceProcess } from '#test/processes/sluice-process.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import { type ClockSubject, idleTimeoutMs, model, pacedModel, stallingModel } from './clock-subject.ts';

const names = ['the node with the correct clock', 'the node with the moved clock'];
/** Remaining lifetime in milliseconds. Shorter than the clock difference, and longer than a check. */
const lifeLeftMs = 120_000;
const retryToleranceMs = 5_000;
const hourMs = 3_600_000;

export async function checkTimes({ nodes }: ClockSubject): Promise<string[]> {
  const faults: string[] = [];
  for (const [place, { origin }] of nodes.entries()) {
    const answer = await complete(origin, nodes[0].apiKey, model);
    const retryMs = Number(answer.headers.get('retry-after')) * 1000;
    const restMs = hourMs - (Date.now() % hourMs);
    if (answer.status !== 429) faults.push(`${names[place]} returned ${answer.status} beyond the limit`);
    else if (!(Math.abs(retryMs - restMs) < retryToleranceMs))
      faults.push(
        `${names[place]} returned a retry time of ${retryMs} ms, but the hour ends in ${Math.round(restMs)} ms`,
      );
  }
  return faults;
}

export async function checkCredentials(subject: ClockSubject, step: () => void): Promise<string[]> {
  return [
    ...(await checkSessions(subject)),
    ...(await checkLives(subject)),
    ...(await checkKeys(subject)),
    ...(await checkDeadlines(subject, step)),
  ];
}

async function checkSessions({ nodes }: ClockSubject): Promise<string[]> {
  const faults: string[] = [];
  const { admin } = nodes[0];
  for (const [place, node] of nodes.entries()) {
    const other = nodes[1 - place] ?? node;
    const client = await signIn({ origin: node.origin, admin });
    const token = client.headers?.()?.authorization?.slice('Bearer '.length) ?? '';
    if (!(await isLetIn(other, token))) faults.push(`a session of ${names[place]} is rejected by the other`);
    await createClient(signInsRoutes, client).logout();
    // Intentional delay: the other node is notified within a second.
    await pause(1_000);
    if (await isLetIn(other, token))
      faults.push(`a session that ended at ${names[place]} is accepted by the other`);
  }
  return faults;
}

async function checkLives({ database, keyring, nodes }: ClockSubject): Promise<string[]> {
  const faults: string[] = [];
  const { rows } = await database.pool.query('SELECT id, token_version FROM users ORDER BY id LIMIT 1');
  const claims = { userId: rows[0].id, tokenVersion: rows[0].token_version };
  for (const [leftMs, isGood] of [
    [lifeLeftMs, true],
    [-lifeLeftMs, false],
  ] as const) {
    const token = await signSessionToken(
      keyring.sessionKey,
      { ...claims, sessionId: randomUUID() },
      Date.now() - sessionLifetimeMs + leftMs,
    );
    for (const [place, node] of nodes.entries())
      if ((await isLetIn(node, token)) !== isGood)
        faults.push(
          `${names[place]} ${isGood ? 'rejects' : 'accepts'} a session with ${leftMs / 1000} s left`,
        );
  }
  return faults;
}

async function checkKeys({ database, keyring, nodes }: ClockSubject): Promise<string[]> {
  const faults: string[] = [];
  const shortMs = 4_000;
  const startedMs = performance.now();
  const keys = [lifeLeftMs, shortMs].map((lifeMs) => ({
    lifeMs,
    apiKey: formatApiKey(Buffer.from(randomUUID().repeat(2).slice(0, 64))),
  }));
  for (const { apiKey, lifeMs } of keys)
    await database.pool.query(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, expires_at, scopes, superseded_at)
       SELECT tenant_id, id, 'clock', $1, $2, now() + $3 * interval '1 ms', $4, now() FROM users ORDER BY id LIMIT 1`,
      [keyring.hashApiKey(apiKey), apiKey.slice(-4), lifeMs, apiKeyScopes],
    );
  const expectStatus = async (apiKey: string, lifeMs: number, expected: number) => {
    for (const [place, { origin }] of nodes.entries()) {
      const { status } = await complete(origin, apiKey, model);
      if (status !== expected)
        faults.push(
          `${names[place]} returned ${status} instead of ${expected} for a key of ${lifeMs / 1000} s`,
        );
    }
  };
  for (const { apiKey, lifeMs } of keys) await expectStatus(apiKey, lifeMs, 200);
  // Intentional delay: the key expires.
  await pause(Math.max(0, shortMs + 1_000 - (performance.now() - startedMs)));
  for (const { apiKey, lifeMs } of keys) await expectStatus(apiKey, lifeMs, lifeMs === shortMs ? 401 : 200);
  await database.pool.query(`DELETE FROM api_keys WHERE name = 'clock'`);
  return faults;
}

/** Checks that a slow stream continues and a silent stream is cut off if the clock is moved meanwhile. */
async function checkDeadlines({ nodes }: ClockSubject, step: () => void): Promise<string[]> {
  const faults: string[] = [];
  const [steady, moved] = nodes;
  const slow = complete(moved.origin, steady.apiKey, pacedModel, true);
  const startedMs = performance.now();
  const silent = complete(moved.origin, steady.apiKey, stallingModel, true);
  // Intentional delay: both streams must start.
  await pause(500);
  step();
  const { text } = await slow;
  if (!text.includes('[DONE]')) faults.push(`a slow stream did not end correctly: ${text.slice(-200)}`);
  const { text: cut } = await silent;
  const tookMs = performance.now() - startedMs;
  if (cut.includes('[DONE]') || tookMs < idleTimeoutMs - 100 || tookMs > 3 * idleTimeoutMs)
    faults.push(`a silent stream ended after ${Math.round(tookMs)} ms: ${cut.slice(-200)}`);
  return faults;
}

export async function checkFigures({ database, nodes }: ClockSubject): Promise<string[]> {
  const faults: string[] = [];
  const read = async () => {
    const { rows } = await database.pool.query<{ balance: number; served: number; strays: number }>(
      `SELECT (SELECT ((limit_amount - settled) / 1e9)::float8 FROM allowances WHERE kind = 'credits') AS balance,
         (SELECT count(*)::integer FROM request_logs WHERE status = 'success') AS served,
         (SELECT count(*)::integer FROM request_logs_default) AS strays`,
    );
    const said = [];
    for (const { origin } of nodes) {
      const client = await signIn({ origin, admin: nodes[0].admin });
      const { current_balance: balance } = await createClient(creditsRoutes, client).getMyTenantBalance();
      const { total_requests: requests } = await createClient(portalRoutes, client).getUserStats();
      said.push({ balance, requests });
    }
    return { rows: rows[0], said };
  };
  // Intentional delay: rows are shipped within seconds of their responses.
  await pause(3_000);
  const { rows, said } = await read();
  for (const [place, one] of said.entries()) {
    if (Math.abs(one.balance - (rows?.balance ?? Number.NaN)) > 1e-9)
      faults.push(`${names[place]} shows a balance of ${one.balance} instead of ${rows?.balance}`);
    if (one.requests !== said[0]?.requests || one.requests < (rows?.served ?? Number.NaN))
      faults.push(`${names[place]} shows ${one.requests} requests instead of ${rows?.served}`);
  }
  if (rows?.strays !== 0) faults.push(`${rows?.strays} rows are not in the partition of their day`);
  return faults;
}

async function isLetIn({ origin }: SluiceProcess, token: string): Promise<boolean> {
  const answer = await fetch(`${origin}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  await answer.text();
  return answer.ok;
}

async function complete(origin: string, apiKey: string, asked: string, stream = false) {
  const answer = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: asked, stream, messages: [{ role: 'user', content: 'Hello' }] }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text().catch(String);
  return { status: answer.status, headers: answer.headers, text };
}
