import { sql } from 'drizzle-orm';
import { users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';

/** Whether somebody has the address, in whatever tenant. */
export async function isAddressTaken(database: SystemDatabase, email: string): Promise<boolean> {
  const rows = await database
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email})`)
    .limit(1);
  return rows.length > 0;
}
