import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { issueLink } from '#console/invitations/link.ts';
import { insertInvitation } from '#console/invitations/store.ts';
import { createMailbox } from '#mail/mailbox.ts';
import type { Keyring } from '#platform/keyring.ts';

/** Secrets and origin of the links in invitations. */
export interface InvitationLinks {
  readonly keyring: Pick<Keyring, 'sealingKey' | 'hashLinkToken'>;
  /** Public base URL without a trailing slash. */
  readonly publicUrl: string;
}

const hourMs = 3_600_000;
const invited = [
  { name: 'vera.dietz', ageMs: 24 * hourMs },
  { name: 'wim.eder', ageMs: 3 * hourMs },
];

/**
 * Invites two users to each tenant in `demo_helped`. The demo has no mail server, so the emails are held and their
 * links are shared manually.
 */
export async function seedInvitations(
  client: pg.Client | pg.PoolClient,
  nowMs: number,
  links: InvitationLinks,
): Promise<void> {
  const tx = drizzle({ client });
  const mailbox = createMailbox({ keyring: links.keyring, hasServer: false });
  const { rows } = await client.query<Admin>(admins);
  for (const { slug, ...principal } of rows)
    for (const { name, ageMs } of invited) {
      const email = `${name}@${slug}.example`;
      const clock = () => nowMs - ageMs;
      const deps = { ...links, mailbox, clock };
      const issue = await issueLink(deps, tx, { principal, email, role: 'user' });
      await insertInvitation(tx, { ...issue, tenantId: principal.tenantId, email, role: 'user', access: {} });
      for (const statement of dateInvitation)
        await client.query(statement, [issue.mailId, new Date(clock()).toISOString()]);
    }
}

interface Admin {
  readonly userId: number;
  readonly tenantId: number;
  readonly name: string;
  readonly slug: string;
}

const admins = `SELECT admin_id AS "userId", tenant_id AS "tenantId", admin_name AS name, slug FROM demo_helped ORDER BY tenant_id`;

const dateInvitation = [
  'UPDATE mails SET created_at = $2 WHERE id = $1',
  'UPDATE invitations SET created_at = $2 WHERE mail_id = $1',
];
