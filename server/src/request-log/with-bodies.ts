import { discardExpired, scheduleChecks } from '#body-store/object-rows.ts';
import { type BodySource, readTexts } from '#body-store/read-bodies.ts';
import type { Texts } from '#body-store/sealed-part.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { BodyPlace } from '#domain/request-log/body-place.ts';
import { BodyStoreError } from '#domain/request-log/log-store-error.ts';
import type { TenantLog } from '#domain/request-log/tenant-log.ts';
import { retentionCutoff } from '#domain/retention.ts';
import type { RequestLog } from './request-log.ts';

/** Returns a log that reads texts from object storage and schedules checks of the objects affected by deletions. */
export function withBodies(log: RequestLog, source: BodySource | null): RequestLog {
  return {
    ...log,
    openTenant: (tx, tenantId, reports) =>
      completeTexts(log.openTenant(tx, tenantId, reports), source, tx, tenantId),
    async deleteExpired(database, kept, nowMs, signal) {
      const deleted = await log.deleteExpired(database, kept, nowMs, signal);
      const cutoffs = kept.map(({ tenantId, bodyRetentionDays }) => ({
        tenantId,
        before: retentionCutoff(nowMs, bodyRetentionDays),
      }));
      if (!signal.aborted && cutoffs.length > 0) await discardExpired(database, cutoffs);
      return deleted;
    },
    async deleteOfUser(database, user, signal) {
      // Must run before the rows are deleted, because only the rows reference their objects.
      await scheduleChecks(database, await log.listObjectsOfUser(database, user));
      return log.deleteOfUser(database, user, signal);
    },
  };
}

type Overrides = Pick<TenantLog, 'selectRows' | 'findBody' | 'findPrompt'>;

function completeTexts(
  log: TenantLog,
  source: BodySource | null,
  tx: TenantTransaction,
  tenantId: number,
): TenantLog {
  const readOne = async (requestId: string, place: BodyPlace): Promise<Texts | null> =>
    (await readTexts(source, tx, tenantId, [{ requestId, place }]))[0] ?? null;
  const overrides: Overrides = {
    async selectRows(ids, textMax) {
      const rows = await log.selectRows(ids, textMax);
      if (textMax !== undefined) return rows;
      const cut = rows.flatMap(({ bodyPlace: place, id }) =>
        place?.isCut ? [{ requestId: id, place }] : [],
      );
      const texts = await readTexts(source, tx, tenantId, cut).catch(nullIfAway);
      if (texts === null) return rows;
      const found = new Map(cut.map(({ requestId }, index) => [requestId, texts[index]]));
      return rows.map((row) => ({ ...row, ...pickShown(found.get(row.id)), bodyPlace: null }));
    },
    async findBody(id) {
      const row = await log.findBody(id);
      if (!row?.bodyPlace) return row;
      return { ...row, text: (await readOne(id, row.bodyPlace))?.body ?? null, bodyPlace: null };
    },
    async findPrompt(id, userId) {
      const row = await log.findPrompt(id, userId);
      if (!row?.bodyPlace?.isCut) return row;
      return { ...row, prompt: (await readOne(id, row.bodyPlace))?.prompt ?? row.prompt, bodyPlace: null };
    },
  };
  return new Proxy(log, {
    get(target, name) {
      const value = Reflect.get(name in overrides ? overrides : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function nullIfAway(error: unknown): null {
  if (error instanceof BodyStoreError) return null;
  throw error;
}

function pickShown(texts: Texts | null | undefined) {
  const { prompt, response } = texts ?? {};
  return { ...(prompt !== undefined && { prompt }), ...(response !== undefined && { response }) };
}
