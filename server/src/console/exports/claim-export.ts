import { and, eq, lt, sql } from 'drizzle-orm';
import { runningExports } from '#db/schema/running-exports.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';

const renewEveryMs = 15_000;
/** Age after which a claim is considered abandoned by a dead node. */
const claimSeconds = 60;

/**
 * Claims the tenant's only export slot on all nodes and returns the function that releases it.
 * @throws ConsoleError 429 while another export runs.
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
  // Ignore a failed renewal: the next one follows in time.
  const timer = setInterval(() => renew().catch(() => undefined), renewEveryMs).unref();
  return async () => {
    clearInterval(timer);
    // A claim that cannot be released expires on its own.
    await inTenant((tx) => tx.delete(runningExports).where(isOurs)).catch(() => undefined);
  };
}

const message = 'Somebody of this tenant has an export under way. Start the next one when it has ended.';
const retryAfterSeconds = 5;
