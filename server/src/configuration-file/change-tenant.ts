import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { addTenant } from '#console/tenants/add-tenant.ts';
import { explainRefusedWrite } from '#db/explain-refused-write.ts';
import type { SystemDatabase } from '#db/system.ts';

import { ConsoleError } from '#errors/console-error.ts';
import { compareObjects, type ManagedObject, type PlannedChange, type State } from './diff.ts';
import type { Fault, Place } from './faults.ts';
import { keyOfReference } from './kinds/accounts.ts';
import { allKinds, kindOf } from './kinds/all-kinds.ts';
import type { ApplyContext, ApplyDeps, KindName, Stored } from './kinds/kind.ts';
import {
  enterTenant,
  findTenantId,
  leaveTenant,
  putManaged,
  releaseManaged,
  selectManaged,
} from './managed-store.ts';
import type { Wanted, WantedTenant } from './validate.ts';

export interface TenantOptions {
  readonly prunes: boolean;
  readonly releases: boolean;
  /** Whether to continue after a failed change to find all faults. The transaction must then be rolled back. */
  readonly findsAllFaults: boolean;
}

export interface TenantPlan {
  readonly slug: string;
  readonly changes: readonly PlannedChange[];
  readonly adopted: number;
  /** Managed objects that the file does not list. The options determine whether they are deleted or released. */
  readonly unlisted: readonly ManagedObject[];
  readonly faults: readonly Fault[];
}

/** Thrown for the first change that the product rejects. The transaction cannot continue. */
export class RejectedChangeError extends Error {
  override readonly name = 'RejectedChangeError';
}

class MissingObjectError extends Error {
  override readonly name = 'MissingObjectError';
}

/** Runs within a transaction across tenants. Stops at the first failed change unless `findsAllFaults` is set. */
export async function changeTenant(
  deps: ApplyDeps,
  tx: SystemDatabase,
  { slug, objects, place }: WantedTenant,
  options: TenantOptions,
): Promise<TenantPlan> {
  const known = await findTenantId(tx, slug);
  const named = objects.find(({ kind }) => kind.name === 'tenant');
  const name = String(named?.spec.name ?? slug);
  const tenantId =
    known ??
    (await addTenant(tx, { name, slug, planId: null, userLimit: null, adminLimit: null, hasSandbox: false }));
  const managed = await selectManaged(tx, tenantId);
  const work = createWork(deps, tx, tenantId, options);
  const readKinds = async (names: readonly KindName[]) => {
    for (const kind of names) work.state.set(kind, await readKind(kind, { tx, tenantId, deps }));
  };
  await readKinds(['tenant']);
  const ofTenant = compareObjects(
    objects.filter(({ kind }) => kind.name === 'tenant'),
    work.state,
    { secrets: deps.secrets, pruned: [] },
  );
  await work.run(ofTenant.changes, place);
  await enterTenant(tx, tenantId);
  await readKinds(allKinds.map(({ name: kind }) => kind).filter((kind) => kind !== 'tenant'));
  const rest = objects.filter(({ kind }) => kind.name !== 'tenant');
  const unlisted = findUnlisted(managed, work.state, objects);
  const compared = compareObjects(rest, work.state, {
    secrets: deps.secrets,
    pruned: options.prunes ? unlisted : [],
  });
  const faults = [...ofTenant.faults, ...compared.faults, ...work.faults];
  const { changes } = compared;
  if (faults.length === 0) await work.run(changes, place);
  await readKinds([...new Set(changes.map(({ kind }) => kind.name))]);
  await leaveTenant(tx);
  const adopted = await recordManaged(tx, tenantId, { slug, objects, managed, state: work.state });
  if (options.prunes || options.releases) await releaseManaged(tx, tenantId, unlisted);
  const own = known === undefined ? [describeCreation(slug, named)] : ofTenant.changes;
  const all = [...own, ...changes];
  return {
    slug,
    changes: all,
    adopted: Math.max(0, adopted - all.filter(({ action }) => action === 'create').length),
    unlisted,
    faults: [...faults, ...work.faults.filter((fault) => !faults.includes(fault))],
  };
}

function describeCreation(slug: string, wanted: Wanted | undefined): PlannedChange {
  const spec = wanted?.spec ?? { slug };
  const fields = Object.fromEntries(Object.entries(spec).map(([name, to]) => [name, { from: null, to }]));
  const kind = kindOf('tenant');
  return {
    action: 'create',
    kind,
    title: slug,
    fields,
    values: spec,
    whole: spec,
    ...(wanted && { wanted }),
  };
}

interface Recorded {
  readonly slug: string;
  readonly objects: readonly Wanted[];
  readonly managed: readonly ManagedObject[];
  readonly state: State;
}

/** Returns how many objects were not managed before. */
async function recordManaged(
  tx: SystemDatabase,
  tenantId: number,
  { slug, objects, managed, state }: Recorded,
): Promise<number> {
  const before = new Map(managed.map((one) => [`${one.kind} ${one.objectId}`, one]));
  const now = objects.flatMap(({ kind, key, spec, file }) => {
    const stored = state.get(kind.name)?.get(key);
    return stored ? [{ kind: kind.name, objectId: stored.id, name: kind.titleOf(spec) || slug, file }] : [];
  });
  const known = ({ kind, objectId }: ManagedObject) => before.get(`${kind} ${objectId}`);
  await putManaged(
    tx,
    tenantId,
    now.filter((one) => known(one)?.file !== one.file || known(one)?.name !== one.name),
  );
  return now.filter((one) => known(one) === undefined).length;
}

function findUnlisted(
  managed: readonly ManagedObject[],
  state: State,
  objects: WantedTenant['objects'],
): ManagedObject[] {
  const listed = new Set(
    objects.map(({ kind, key }) => `${kind.name} ${state.get(kind.name)?.get(key)?.id ?? ''}`),
  );
  return managed.filter(({ kind, objectId }) => !listed.has(`${kind} ${objectId}`));
}

export async function readKind(
  name: KindName,
  { tx, tenantId, deps }: { tx: SystemDatabase; tenantId: number; deps: Pick<ApplyDeps, 'keyring'> },
): Promise<Map<string, Stored>> {
  const kind = kindOf(name);
  const rows = await kind.read({ tx, tenantId, keyring: deps.keyring });
  return new Map(rows.map((stored) => [kind.keyOf(stored.spec), stored]));
}

function createWork(deps: ApplyDeps, tx: SystemDatabase, tenantId: number, options: TenantOptions) {
  const state = new Map<KindName, Map<string, Stored>>();
  const createdIds = new Map<string, number>();
  const faults: Fault[] = [];
  const context: ApplyContext = {
    tx,
    tenantId,
    author: { userId: null, tenantId, role: 'super_admin' },
    deps,
    idOf(kind, name) {
      const key = keyOfReference(kind, name);
      const id = createdIds.get(`${kind} ${key}`) ?? state.get(kind)?.get(key)?.id;
      if (id === undefined)
        throw new MissingObjectError(`There is no ${kind.replaceAll('_', ' ')} "${name}"`);
      return id;
    },
  };
  const runOne = async (change: PlannedChange): Promise<void> => {
    const { action, kind, stored, values, whole, wanted } = change;
    if (action === 'delete' && stored) {
      await kind.remove(context, stored);
      return;
    }
    if (!wanted) return;
    if (stored) return kind.update(context, { stored, wanted: whole, changes: values });
    const id = await kind.create(context, whole);
    if (id !== undefined) createdIds.set(`${kind.name} ${wanted.key}`, id);
  };
  const run = async (changes: readonly PlannedChange[], place: Place): Promise<void> => {
    for (const change of changes) {
      if (options.findsAllFaults) await tx.execute(sql`SAVEPOINT one_change`);
      try {
        await runOne(change);
        if (options.findsAllFaults) await tx.execute(sql`RELEASE SAVEPOINT one_change`);
      } catch (error) {
        const found = toFaults(error, change, place);
        if (!found) throw error;
        if (!options.findsAllFaults)
          throw new RejectedChangeError('the product rejects a change', { cause: error });
        faults.push(...found);
        await tx.execute(sql`ROLLBACK TO SAVEPOINT one_change`);
      }
    }
  };
  return { state, faults, run };
}

/** Returns the faults of a rejected change with their positions; `null` for unexpected errors. */
function toFaults(thrown: unknown, change: PlannedChange, tenantPlace: Place): Fault[] | null {
  const { action, kind, title, wanted } = change;
  const error = explainRefusedWrite(thrown);
  const placeOf = (field?: string) =>
    wanted
      ? wanted.placeOf(field !== undefined && wanted.spec[field] !== undefined ? field : undefined)
      : tenantPlace;
  const prefix =
    action === 'delete' ? `The ${kind.name.replaceAll('_', ' ')} "${title}" cannot be deleted: ` : '';
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => ({
      ...placeOf(nameField(change, path[0])),
      message: prefix + message,
    }));
  if (error instanceof MissingObjectError) return [];
  if (!(error instanceof ConsoleError) || error.status >= 500) return null;
  if (typeof error.detail === 'string') return [{ ...placeOf(), message: prefix + error.detail }];
  return error.detail.map(({ loc, msg }) => ({
    ...placeOf(nameField(change, loc[1])),
    message: prefix + msg,
  }));
}

function nameField({ kind }: PlannedChange, name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  return kind.fieldNames?.[name] ?? name;
}
