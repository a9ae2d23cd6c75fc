import { chmodSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/** Owner role of the cluster. Only used to create the application's role and database. */
export const bootstrapRole = 'postgres';
export const applicationRole = 'sluice';

/**
 * Writes access rules that only allow connections by the user of this process. No password is needed, because the
 * kernel reports the connecting user.
 */
export function writeAccessRules(folder: string): void {
  const user = ownUserName();
  const identities = [bootstrapRole, applicationRole].map((role) => `sluice "${user}" ${role}\n`);
  const rules = { 'pg_hba.conf': 'local all all peer map=sluice\n', 'pg_ident.conf': identities.join('') };
  for (const [name, text] of Object.entries(rules)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o644);
  }
}

function ownUserName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    throw new Error(
      'the embedded PostgreSQL needs a user listed in /etc/passwd: run as such a user, or set DATABASE_URL',
      { cause: error },
    );
  }
}
