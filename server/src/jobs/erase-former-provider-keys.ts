import { sql } from 'drizzle-orm';
import type { TransactionJob } from './job.ts';

/** Erases replaced provider keys after their overlap with the new ones. The gateway stops using them by itself. */
export const eraseFormerProviderKeys: TransactionJob = {
  name: 'erase-former-provider-keys',
  pattern: '*/10 * * * * *',
  async run(tx) {
    await tx.execute(sql`
      UPDATE llm_providers SET sealed_former_api_key = NULL, former_api_key_expires_at = NULL
      WHERE sealed_former_api_key IS NOT NULL AND former_api_key_expires_at <= now()`);
  },
};
