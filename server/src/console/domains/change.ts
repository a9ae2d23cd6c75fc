import type { Domain } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { isPublicMailDomain } from '#domain/mail-domain.ts';
import type { Author } from '#domain/principal.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import { type DomainRow, deleteDomainRow, insertDomain, markConfirmed, selectDomains } from './store.ts';

export async function listDomains(tx: TenantTransaction, { tenantId }: Author): Promise<Domain[]> {
  return (await selectDomains(tx, tenantId)).map(toDomain);
}

/** If the author is a super administrator, the domain is also confirmed. */
export async function addDomain(tx: TenantTransaction, author: Author, name: string): Promise<Domain> {
  if (isPublicMailDomain(name))
    throw invalidField(
      'domain',
      `Anyone can get an email address at ${name}, so no organization can own this domain`,
    );
  const confirmation =
    author.role === 'super_admin' ? { confirmedAt: new Date(), confirmedBy: author.userId } : {};
  return toDomain(await insertDomain(tx, { tenantId: author.tenantId, name, ...confirmation }));
}

/** Adds the missing domains. If the author is a super administrator, all given domains are also confirmed. */
export async function requireDomains(
  tx: TenantTransaction,
  author: Author,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const known = await selectDomains(tx, author.tenantId);
  for (const name of names) {
    const row = known.find((one) => one.name === name);
    if (!row) await addDomain(tx, author, name);
    else if (row.confirmedAt === null && author.role === 'super_admin')
      await markConfirmed(tx, { id: row.id, confirmedBy: author.userId });
  }
}

/** The domain may belong to any tenant. */
export async function confirmDomain(tx: SystemDatabase, author: Author, id: number): Promise<Domain> {
  const row = await markConfirmed(tx, { id, confirmedBy: author.userId });
  if (!row) throw notFound('Domain');
  return toDomain(row);
}

export async function removeDomain(tx: TenantTransaction, author: Author, id: number): Promise<void> {
  if (!(await deleteDomainRow(tx, author.tenantId, id))) throw notFound('Domain');
}

function toDomain({ id, name, confirmedAt, createdAt }: DomainRow): Domain {
  return {
    id,
    domain: name,
    confirmed_at: confirmedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}
