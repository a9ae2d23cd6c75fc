import { randomUUID } from 'node:crypto';
import { makeTotpSecret } from '#domain/totp.ts';
import { sealSecret, totpSecretPlace } from '#platform/seal-secret.ts';
import { testKeyring } from '../console/console-server.ts';
import type { Caller } from './callers.ts';
import type { ObjectKind } from './object-kind.ts';
import type { World } from './world.ts';

/** Sets the sign-in time of the caller's session to now, so that the caller may change second factors. */
export async function proveSession(
  { pool }: World,
  { tenant, userId, authorization }: Caller,
): Promise<void> {
  const payload = authorization?.match(/^Bearer eyJ[^.]*\.([^.]+)\./)?.[1];
  if (payload === undefined) return;
  const { sid } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  await pool.query(
    `INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, expires_at)
     VALUES ($1, $2, $3, $4, $4, now() + interval '1 hour') ON CONFLICT DO NOTHING`,
    [sid, tenant.id, userId, tenant.marker],
  );
}

/** Does nothing for an anonymous caller. */
export async function addOwnTotp(world: World, caller: Caller): Promise<void> {
  await proveSession(world, caller);
  const { tenant, userId } = caller;
  if (userId === null) return;
  const { rows } = await world.pool.query<{ id: number }>(
    `INSERT INTO totp_authenticators (tenant_id, user_id, confirmed_at) VALUES ($1, $2, now())
     ON CONFLICT (user_id) DO UPDATE SET confirmed_at = now() RETURNING id`,
    [tenant.id, userId],
  );
  const id = rows[0]!.id;
  const sealed = sealSecret(testKeyring.sealingKey, totpSecretPlace(tenant.id, id), makeTotpSecret());
  await world.pool.query('UPDATE totp_authenticators SET sealed_secret = $2 WHERE id = $1', [id, sealed]);
}

export const passkey: ObjectKind = {
  name: 'passkey',
  async make({ pool }, { tenant, userId }) {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO passkeys (tenant_id, user_id, name, credential_id, public_key, sign_count)
       VALUES ($1, $2, $3, $4, '', 0) RETURNING id`,
      [tenant.id, userId, tenant.marker, randomUUID()],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
  isHidden: (_role, owner) => owner === 'other user',
};
