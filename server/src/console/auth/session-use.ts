import { and, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { sessions } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';

export interface SessionUse {
  note(sessionId: string): void;
  /** Writes pending updates and stops. */
  stop(): Promise<void>;
}

const noteEveryMs = 5 * 60_000;
const writeAfterMs = 2_000;

/** Creates a batching writer that updates each session at most once in five minutes. */
export function createSessionUse({
  database,
  log,
  clock,
}: {
  readonly database: SystemDatabase;
  readonly log: Logger;
  readonly clock: Clock;
}): SessionUse {
  const notedAtMs = new Map<string, number>();
  const unwritten = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();

  const write = () => {
    timer = null;
    const ids = [...unwritten];
    unwritten.clear();
    for (const [id, atMs] of notedAtMs) if (clock() - atMs >= noteEveryMs) notedAtMs.delete(id);
    writing = touchSessions(database, ids).catch((error) =>
      log.warn({ error }, 'could not record when sessions were used'),
    );
  };
  return {
    note(sessionId) {
      if (clock() - (notedAtMs.get(sessionId) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return;
      notedAtMs.set(sessionId, clock());
      unwritten.add(sessionId);
      timer ??= setTimeout(write, writeAfterMs).unref();
    },
    async stop() {
      if (timer) {
        clearTimeout(timer);
        write();
      }
      await writing;
    },
  };
}

async function touchSessions(database: SystemDatabase, ids: readonly string[]): Promise<void> {
  const isStale = or(isNull(sessions.lastUsedAt), lt(sessions.lastUsedAt, sql`now() - interval '1 minute'`));
  await database
    .update(sessions)
    .set({ lastUsedAt: sql`now()` })
    .where(and(inArray(sessions.id, [...ids]), isStale));
}
