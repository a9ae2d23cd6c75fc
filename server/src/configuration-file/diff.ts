import { isDeepStrictEqual } from 'node:util';
import type { Fault } from './faults.ts';
import { keyOfReference } from './kinds/accounts.ts';
import { allKinds } from './kinds/all-kinds.ts';
import type { Kind, KindName, Spec, Stored } from './kinds/kind.ts';
import { type Secrets, storedSecret } from './secrets.ts';
import type { Wanted } from './validate.ts';

export type State = ReadonlyMap<KindName, ReadonlyMap<string, Stored>>;

export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

export const hiddenSecret = '(secret)';

export interface PlannedChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: Kind;
  readonly title: string;
  /** Changed fields without secrets. A new object has all fields from the file. */
  readonly fields: Readonly<Record<string, FieldChange>>;
  readonly wanted?: Wanted;
  readonly stored?: Stored;
  /** Fields for the console's operations, including secrets. */
  readonly values: Spec;
  /** All fields from the file, including secrets. */
  readonly whole: Spec;
}

export interface Difference {
  readonly changes: readonly PlannedChange[];
  readonly faults: readonly Fault[];
}

export interface ManagedObject {
  readonly kind: string;
  readonly objectId: number;
  readonly name: string;
  readonly file: string;
}

export function compareObjects(
  objects: readonly Wanted[],
  state: State,
  { secrets, pruned }: { readonly secrets: Secrets; readonly pruned: readonly ManagedObject[] },
): Difference {
  const faults: Fault[] = [];
  const listed = new Map(allKinds.map(({ name }) => [name, new Set<string>()]));
  for (const { kind, key } of objects) listed.get(kind.name)?.add(key);
  const hasObject = (kind: KindName, key: string) =>
    listed.get(kind)?.has(key) === true || state.get(kind)?.has(key) === true;
  for (const wanted of objects) faults.push(...findMissingReferences(wanted, hasObject));
  const byKind = Map.groupBy(objects, ({ kind }) => kind.name);
  const changes = allKinds.flatMap(({ name }) =>
    (byKind.get(name) ?? []).flatMap((wanted) => {
      const change = compareObject(wanted, state.get(name)?.get(wanted.key), secrets, faults);
      return change ? [change] : [];
    }),
  );
  return { changes: [...findDeletions(state, listed, pruned), ...changes], faults };
}

function findMissingReferences(
  { kind, spec, placeOf }: Wanted,
  hasObject: (kind: KindName, key: string) => boolean,
): Fault[] {
  return (kind.referencesOf?.(spec) ?? [])
    .filter(({ kind: target, name }) => !hasObject(target, keyOfReference(target, name)))
    .map(({ field, kind: target, name }) => ({
      ...placeOf(field),
      message: `There is no ${target.replaceAll('_', ' ')} "${name}" in this tenant or in the file`,
    }));
}

function compareObject(
  wanted: Wanted,
  stored: Stored | undefined,
  secrets: Secrets,
  faults: Fault[],
): PlannedChange | null {
  const { kind, spec } = wanted;
  const report = (name: string, message: string) => void faults.push({ ...wanted.placeOf(name), message });
  const values: Record<string, unknown> = {};
  const whole: Record<string, unknown> = {};
  const fields: Record<string, FieldChange> = {};
  for (const [name, given] of Object.entries(spec)) {
    if (stored && kind.initialFields?.includes(name) && !kind.secretFields?.includes(name)) {
      if (stored.spec[name] !== given)
        report(name, 'This field cannot be changed after the object has been created');
      continue;
    }
    if (kind.secretFields?.includes(name) && given !== null) {
      if (stored && kind.initialFields?.includes(name)) continue;
      const secret = compareSecret(wanted, name, String(given), stored, secrets);
      if (secret.problem !== undefined) report(name, secret.problem);
      whole[name] = secret.value;
      if (secret.isSame) continue;
      values[name] = secret.value;
      fields[name] = { from: stored?.spec[name] === undefined ? null : hiddenSecret, to: hiddenSecret };
      continue;
    }
    whole[name] = given;
    const before = stored?.spec[name];
    if (stored && isSame(kind, stored, name, given)) continue;
    values[name] = given;
    fields[name] = {
      from: kind.secretFields?.includes(name) && before != null ? hiddenSecret : (before ?? null),
      to: given,
    };
  }
  if (stored && Object.keys(fields).length === 0) return null;
  const action = stored ? 'update' : 'create';
  return {
    action,
    kind,
    title: kind.titleOf(spec),
    fields,
    wanted,
    values,
    whole,
    ...(stored && { stored }),
  };
}

function isSame(kind: Kind, stored: Stored, name: string, given: unknown): boolean {
  const before = stored.spec[name];
  const after = stored.normalize ? stored.normalize(name, given) : given;
  return (
    isDeepStrictEqual(before, after) ||
    ((before ?? null) === null && (after ?? null) === null) ||
    kind.isEqual?.(name, before, after) === true
  );
}

interface ComparedSecret {
  readonly isSame: boolean;
  readonly value?: string;
  readonly problem?: string;
}

function compareSecret(
  { file }: Wanted,
  name: string,
  reference: string,
  stored: Stored | undefined,
  secrets: Secrets,
): ComparedSecret {
  const known = stored?.openSecret?.(name) ?? null;
  if (reference === storedSecret) {
    if (known !== null) return { isSame: true, value: known };
    return {
      isSame: false,
      problem: 'No secret is stored for this object. Specify the secret with env:NAME or file:PATH',
    };
  }
  const secret = secrets.read(reference, file);
  if (!secret.ok) return { isSame: true, problem: secret.problem };
  return { isSame: secret.value === known, value: secret.value };
}

/** Objects that refer to others are first. */
function findDeletions(
  state: State,
  listed: ReadonlyMap<KindName, ReadonlySet<string>>,
  pruned: readonly ManagedObject[],
): PlannedChange[] {
  const ids = new Set(pruned.map(({ kind, objectId }) => `${kind} ${objectId}`));
  return allKinds.toReversed().flatMap((kind) => {
    if (kind.isSingle) return [];
    const found = [...(state.get(kind.name) ?? [])].filter(
      ([key, { id }]) => ids.has(`${kind.name} ${id}`) && !listed.get(kind.name)?.has(key),
    );
    return found
      .filter(([, { spec }]) => kind.name !== 'user' || spec.is_active !== false)
      .toSorted(([, one], [, other]) => rankOf(one) - rankOf(other))
      .map(([, stored]) => ({
        action: 'delete' as const,
        kind,
        title: kind.titleOf(stored.spec),
        fields: {},
        stored,
        values: {},
        whole: {},
      }));
  });
}

/** Administrators are deactivated last, so that new administrators exist before the last one is deactivated. */
const rankOf = ({ spec: { role } }: Stored) => (role === 'user' || role === undefined ? 0 : 1);
