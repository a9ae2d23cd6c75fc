import { and, eq, lt, sql } from 'drizzle-orm';
import { runningExports } from '#db/schema/running-exports.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';

const renewEveryMs = 15_000;
/** After which a claim counts as that of a node that died. */
const claimSeconds = 60;

/**
 * Makes the caller's export the only one of the tenant, on all nodes, until the function that it answers is called.
 * @throws ConsoleError 429 when there is one
 */
export async function claimExport({ principal, inTenant }: SignedInContext): Promise<() => Promise<void>> {
  const { tenantId } = principal;
  const holder = crypto.randomUUID();
  const isOurs = and(eq(runningExports.tenantId, tenantId), eq(runningExports.holder, holder));
  const claimed = await inTenant((tx) =>
    tx
      .insert(runningExports)
      .values({ tenantId, holder })
      .onConflictDoUpdate({
        target: runningExports.tenantId,
        set: { holder, renewedAt: sql`now()` },
        setWhere: lt(runningExports.renewedAt, sql`now() - make_interval(secs => ${claimSeconds})`),
      })
      .returning({ holder: runningExports.holder }),
  );
  if (claimed.length === 0) throw new ConsoleError(429, message, retryAfterSeconds);
  const renew = () =>
    inTenant((tx) => tx.update(runningExports).set({ renewedAt: sql`now()` }).where(isOurs));
  // A renewal that fails is made up for by the next one.
  const timer = setInterval(() => renew().catch(() => undefined), renewEveryMs).unref();
  return async () => {
    clearInterval(timer);
    // What cannot be given back ends by itself.
    await inTenant((tx) => tx.delete(runningExports).where(isOurs)).catch(() => undefined);
  };
}

const message = 'Somebody of this tenant has an export under way. Start the next one when it has ended.';
const retryAfterSeconds = 5;
