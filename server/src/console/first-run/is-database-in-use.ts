import type { SystemDatabase } from '#db/system.ts';
import { findSecretCheck, hasInstallationTable } from './store.ts';

/** Whether a database has been set up, so that no new secret may be generated for it. Works before the migrations. */
export async function isDatabaseInUse(database: SystemDatabase): Promise<boolean> {
  if (!(await hasInstallationTable(database))) return false;
  return (await findSecretCheck(database)) !== undefined;
}
