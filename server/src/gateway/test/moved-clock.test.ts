import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatApiKey } from '#domain/api-key.ts';
import { createKeyring } from '#platform/keyring.ts';
import { sessionLifetimeMs, signSessionToken } from '#platform/tokens.ts';
import { masterSecret, startGateway, type TestGateway } from '#test/console/gateway.ts';

const movedMs = 600_000;
const lifeLeftMs = 120_000;
const keyring = createKeyring(masterSecret);
const readClock = Date.now;

describe.for([movedMs, -movedMs])('node whose clock is off by %i ms', (offsetMs) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    vi.spyOn(Date, 'now').mockImplementation(() => readClock() + offsetMs);
    gateway = await startGateway();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await gateway.stop();
  });

  it('a node with a wrong clock accepts a session two minutes before its end and rejects it two minutes after', async () => {
    const { rows } = await gateway.pool.query('SELECT id, token_version FROM users ORDER BY id LIMIT 1');
    for (const leftMs of [lifeLeftMs, -lifeLeftMs]) {
      const claims = { userId: rows[0].id, sessionId: randomUUID(), tokenVersion: rows[0].token_version };
      const issuedAtMs = readClock() - sessionLifetimeMs + leftMs;
      const token = await signSessionToken(keyring.sessionKey, claims, issuedAtMs);
      const answer = await fetch(`${gateway.origin}/api/v1/auth/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(leftMs > 0 ? 200 : 401);
    }
  });

  it('a node with a wrong clock accepts a key that expires in two minutes', async () => {
    const apiKey = formatApiKey(randomBytes(64));
    await gateway.pool.query(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, superseded_at, expires_at)
       SELECT tenant_id, id, 'short', $1, $2, '{models}', now(), now() + $3 * interval '1 ms' FROM users ORDER BY id LIMIT 1`,
      [keyring.hashApiKey(apiKey), apiKey.slice(-4), lifeLeftMs],
    );
    const answer = await fetch(`${gateway.origin}/api/v1/models`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(answer.status).toBe(200);
  });
});
