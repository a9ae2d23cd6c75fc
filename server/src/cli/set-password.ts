import { resetPasswordBody } from '@sluice/contract';
import type { Config } from '#config/config.ts';
import { findAccount } from '#console/auth/store.ts';
import { changePersonPassword } from '#console/users/change-password.ts';
import { requireUncommonPassword } from '#console/users/require-uncommon-password.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase } from '#db/system.ts';
import { createPasswordHasher, passwordSetter } from '#platform/password.ts';
import { openDatabase } from './open-database.ts';

/** Sets a person's password and ends all of their sessions, on every node. @throws Error with words for the operator */
export async function setPassword(config: Config, email: string, password: string): Promise<void> {
  const { error } = resetPasswordBody.safeParse({ password });
  if (error) throw new Error(error.issues[0]?.message);
  requireUncommonPassword(password);
  await using running = new AsyncDisposableStack();
  const pool = createPool(await openDatabase(config, running), 1, 'sluice-cli');
  running.defer(() => pool.end());
  const database = createSystemDatabase(pool);
  const account = await findAccount(database, email, '');
  if (!account) throw new Error(`Nobody has the address ${email}.`);
  const { id: userId, tenantId } = account;
  const hash = await createPasswordHasher().hash(password, passwordSetter({ tenantId, userId }));
  await database.transaction((tx) => changePersonPassword(tx, userId, hash));
}
