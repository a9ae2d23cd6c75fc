import { randomUUIDv7 } from 'node:crypto';
import { mailLinkPlace, sealSecret } from '#platform/seal-secret.ts';
import { testKeyring } from '../console/console-server.ts';
import type { ObjectKind, Wanted } from './object-kind.ts';
import { addMember, type World } from './world.ts';

const mail: ObjectKind = {
  name: 'mail',
  async make({ pool }, { tenant }) {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO mails (tenant_id, to_address, subject, body, action, opens_role_id, status, expires_at)
       VALUES ($1, $2, $2, $2, $2, 3, 'held', now() + interval '7 days') RETURNING id`,
      [tenant.id, tenant.marker],
    );
    const id = rows[0]!.id;
    const sealed = sealSecret(testKeyring.sealingKey, mailLinkPlace(tenant.id, id), tenant.marker);
    await pool.query('UPDATE mails SET sealed_link = $2 WHERE id = $1', [id, sealed]);
    return String(id);
  },
  missingId: () => '2147483647',
};

async function makeInvitation(world: World, wanted: Wanted): Promise<{ id: string; token: string }> {
  const { tenant } = wanted;
  const token = randomUUIDv7();
  const mailId = await mail.make(world, wanted);
  const { userId } = await addMember(world, tenant, 'admin');
  const { rows } = await world.pool.query<{ id: number }>(
    `INSERT INTO invitations (tenant_id, email, role_id, token_hash, invited_by, invited_by_name, mail_id, expires_at)
     VALUES ($1, $2, 3, $3, $4, $5, $6, now() + interval '7 days') RETURNING id`,
    [
      tenant.id,
      `${token}@${tenant.marker}.test`,
      testKeyring.hashLinkToken(token),
      userId,
      tenant.marker,
      mailId,
    ],
  );
  return { id: String(rows[0]!.id), token };
}

const invitation: ObjectKind = {
  name: 'invitation',
  make: async (world, wanted) => (await makeInvitation(world, wanted)).id,
  missingId: () => '2147483647',
};

/** Any tenant may use a valid link. The matrix therefore tests another tenant's link as an invalid link. */
const invitationLink: ObjectKind = {
  name: 'invitation link',
  make: async (world, wanted) =>
    wanted.owner === 'other tenant' ? randomUUIDv7() : (await makeInvitation(world, wanted)).token,
  missingId: randomUUIDv7,
};

/** Any tenant may use a valid link, so another tenant's link is tested as an invalid link. */
const passwordResetLink: ObjectKind = {
  name: 'password reset link',
  async make(world, wanted) {
    const { tenant, owner } = wanted;
    const token = randomUUIDv7();
    if (owner === 'other tenant') return token;
    const { userId } = await addMember(world, tenant, 'user');
    const mailId = await mail.make(world, wanted);
    await world.pool.query(
      `WITH sent AS (
         UPDATE mails SET to_address = u.email FROM users u WHERE u.id = $2 AND mails.id = $4
       )
       INSERT INTO password_resets (tenant_id, user_id, token_hash, token_version, mail_id, expires_at)
       SELECT $1, id, $3, token_version, $4, now() + interval '30 minutes' FROM users WHERE id = $2`,
      [tenant.id, userId, testKeyring.hashLinkToken(token), mailId],
    );
    return token;
  },
  missingId: randomUUIDv7,
};

/** A signup belongs to no tenant until it is confirmed. */
const signupLink: ObjectKind = {
  name: 'signup link',
  async make(world, wanted) {
    const token = randomUUIDv7();
    if (wanted.owner === 'other tenant') return token;
    await world.pool.query(
      `INSERT INTO signups (email, name, company_name, password_hash, plan_id, payment_provider, customer_id, token_hash, mail_id, expires_at)
       VALUES ($1, 'New', '', $2, 'basic', 'simulated', $3, $4, $5, now() + interval '1 hour')`,
      [
        `${token}@new.test`,
        world.passwordHash,
        `cus_${token}`,
        testKeyring.hashLinkToken(token),
        Number(await mail.make(world, wanted)),
      ],
    );
    return token;
  },
  missingId: randomUUIDv7,
};

export const kindsOfMails: Readonly<Record<string, ObjectKind>> = {
  '/admin/invitations/{id}': invitation,
  '/invitations/public/{token}': invitationLink,
  '/admin/outbox/{id}': mail,
  '/auth/password-resets/{token}': passwordResetLink,
  '/auth/signup/confirmations/{token}': signupLink,
};
