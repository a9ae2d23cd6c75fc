import { and, eq, lt, sql } from 'drizzle-orm';
import { runningExports } from '#db/schema/platform.ts';
import { tenants } from '#db/schema/tenants.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';

const renewEveryMs = 15_000;
/** Age after which an export claim counts as abandoned by a dead node. */
const claimSeconds = 60;

/**
 * Claims the tenant's only export slot across all nodes. Returns the function that releases the slot.
 * @throws ConsoleError 429 while another export is running
 */
async function claimExport({ principal, inTenant }: SignedInContext): Promise<() => Promise<void>> {
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
  // Ignore a failed renewal: the claim is still valid at the next one.
  const timer = setInterval(() => renew().catch(() => undefined), renewEveryMs).unref();
  return async () => {
    clearInterval(timer);
    // Ignore a failed release, because the claim expires.
    await inTenant((tx) => tx.delete(runningExports).where(isOurs)).catch(() => undefined);
  };
}

const message = 'Another export of this tenant is in progress. Start the next one after it finishes.';
const retryAfterSeconds = 5;

export interface NewFile {
  /** Plural noun for the file name and audit log, for example `logs`. */
  readonly noun: string;
  readonly extension: string;
  readonly mediaType: string;
}

/**
 * Streams a file. `write` must record the download in the audit log. Its first part is generated before the response
 * starts, so that errors have a status code.
 * @throws ConsoleError 429 while another export of the tenant is running
 */
export async function startDownload(
  ctx: SignedInContext,
  file: NewFile,
  write: () => AsyncGenerator<string>,
): Promise<Download> {
  const release = await claimExport(ctx);
  const timeZone = await readTimeZone(ctx).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const text = releaseAfter(write(), release);
  // Start the generator, so that its `finally` block runs even if the client disconnects before the first read.
  const first = await text.next();
  return {
    fileName: nameFile(file, timeZone, new Date()),
    mediaType: file.mediaType,
    text: continueText(first, text),
  };
}

async function* releaseAfter(
  text: AsyncGenerator<string>,
  release: () => Promise<void>,
): AsyncGenerator<string> {
  try {
    yield* text;
  } finally {
    await release();
  }
}

/** The returned iterable always closes `rest`, even if it is closed before the first read. */
function continueText(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncIterable<string> {
  let next: IteratorResult<string> | undefined = first;
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const result = next ?? (await rest.next());
        next = undefined;
        return result;
      },
      return: (value) => rest.return(value),
    }),
  };
}

/** Uses the tenant's time zone, like the date filters of exports. */
function nameFile({ noun, extension }: NewFile, timeZone: string, now: Date): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  return `sluice-${noun}-${day}.${extension}`;
}

async function readTimeZone({ principal, inTenant }: SignedInContext): Promise<string> {
  const [row] = await inTenant((tx) =>
    tx.select({ timeZone: tenants.timeZone }).from(tenants).where(eq(tenants.id, principal.tenantId)),
  );
  if (!row) throw notFound('Tenant');
  return row.timeZone;
}
