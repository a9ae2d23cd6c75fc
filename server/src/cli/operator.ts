import { foldEmail } from '@sluice/contract';
import type { Config } from '#config/config.ts';
import { findAccount } from '#console/auth/store.ts';
import type { Actor } from '#db/actor.ts';
import { readApplied } from '#db/migration-files.ts';
import { createPool } from '#db/pool.ts';
import { changeAs, createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant, type TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import type { AuthorContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { openDatabase } from './open-database.ts';
import { openKeyring } from './open-keyring.ts';
import { requireSchema } from './require-schema.ts';

/** A user that a command acts on. */
export interface Person {
  readonly id: number;
  readonly tenantId: number;
}

/** Access for commands on behalf of the operator: the audit log records the operation without a user. */
export interface Operator {
  readonly system: SystemDatabase;
  /** Runs one transaction as a tenant. `action` is the name of the operation in the contract. */
  inTenant<Result>(
    tenantId: number,
    action: string,
    work: (tx: TenantTransaction, author: Author) => Promise<Result>,
  ): Promise<Result>;
  /** Returns the context of a console operation; each of its transactions belongs to the tenant. */
  contextOf(tenantId: number, action: string): AuthorContext;
  /** Runs one transaction across tenants. */
  asSystem<Result>(
    action: string,
    work: (tx: SystemDatabase, requestId: string) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Returns the user with this email address.
   * @throws Error if there is none
   */
  requirePerson(email: string): Promise<Person>;
  /**
   * Opens the keys of the installation.
   * @throws Error if the secret is missing or differs from the database's
   */
  openKeyring(): Promise<Keyring>;
}

const address = 'command line';

/** Opens the database of the installation for one command, and closes it again. */
export async function asOperator<Result>(
  config: Config,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  await using running = new AsyncDisposableStack();
  const pool = createPool(await openDatabase(config, running), 2, 'sluice-cli');
  running.defer(() => pool.end());
  requireSchema(await readApplied(pool));
  const system = createSystemDatabase(pool);
  const runInTenant = createRunInTenant(pool);
  const actorOf = (action: string): Actor => ({
    userId: null,
    action,
    requestId: crypto.randomUUID(),
    address,
  });
  const authorOf = (tenantId: number): Author => ({ userId: null, tenantId, role: 'super_admin' });
  return await work({
    system,
    inTenant: (tenantId, action, run) =>
      runInTenant(tenantId, (tx) => run(tx, authorOf(tenantId)), actorOf(action)),
    contextOf: (tenantId, action) => ({
      principal: authorOf(tenantId),
      inTenant: (run) => runInTenant(tenantId, run, actorOf(action)),
    }),
    asSystem(action, run) {
      const actor = actorOf(action);
      return changeAs(system, actor, (tx) => run(tx, actor.requestId));
    },
    async requirePerson(email) {
      const person = await findAccount(system, foldEmail(email), '');
      if (!person) throw new Error(`Nobody has the address ${email}.`);
      return person;
    },
    async openKeyring() {
      const keyring = await openKeyring(config, system);
      if (!keyring) throw new Error('The database is new: start Sluice once.');
      return keyring;
    },
  });
}
