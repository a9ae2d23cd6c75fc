import { lt, sql } from 'drizzle-orm';
import { idempotencyKeys } from '#db/schema/idempotency-keys.ts';
import type { Job } from './job.ts';

/** Deletes responses of idempotency keys after 24 hours. */
export const forgetIdempotencyKeys: Job = {
  name: 'forget-idempotency-keys',
  pattern: '43 * * * *',
  async run(tx) {
    await tx.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, sql`now() - interval '24 hours'`));
  },
};
