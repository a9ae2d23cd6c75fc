import type { z } from 'zod';
import { objectsMax } from './bounds.ts';
import { type Fault, formatFault, type Place } from './faults.ts';
import { allKinds, kindOf, kindsWithin } from './kinds/all-kinds.ts';
import type { Kind, Spec } from './kinds/kind.ts';
import type { ParsedFile, Path } from './parse.ts';

export interface Wanted {
  readonly kind: Kind;
  readonly key: string;
  /** Fields of the object. Secrets are references. */
  readonly spec: Spec;
  readonly file: string;
  /** Returns the position of a field, or of the object if no field is given. */
  placeOf(field?: string): Place;
}

export interface WantedTenant {
  readonly slug: string;
  readonly place: Place;
  readonly objects: readonly Wanted[];
}

interface Validation {
  readonly faults: Fault[];
  readonly tenants: Map<string, { place: Place; objects: Wanted[]; byKey: Map<string, Wanted> }>;
  count: number;
}

const topFields = ['$schema', 'tenants'];

/** Returns the tenants, or every fault if there are any. */
export function validateFiles(
  files: readonly ParsedFile[],
): { readonly tenants: readonly WantedTenant[] } | { readonly faults: readonly Fault[] } {
  const validation: Validation = { faults: [], tenants: new Map(), count: 0 };
  for (const file of files) validateFile(validation, file);
  if (validation.count > objectsMax)
    validation.faults.push({
      file: files[0]?.file ?? '',
      line: 1,
      column: 1,
      message: `The configuration has ${validation.count.toLocaleString('en-US')} objects; at most ${objectsMax.toLocaleString('en-US')} are allowed`,
    });
  if (validation.faults.length > 0) return { faults: validation.faults };
  return { tenants: [...validation.tenants].map(([slug, { place, objects }]) => ({ slug, place, objects })) };
}

function validateFile(validation: Validation, file: ParsedFile): void {
  const report = (path: Path, message: string, isName = false) =>
    void validation.faults.push({ ...file.placeOf(path, isName), message });
  if (file.value === null) return;
  if (!isRecord(file.value)) {
    report([], 'The configuration must be an object with the field tenants');
    return;
  }
  for (const name of Object.keys(file.value))
    if (!topFields.includes(name)) report([name], `Unknown field: ${shorten(name)}`, true);
  const { tenants } = file.value;
  if (!Array.isArray(tenants)) {
    report(['tenants'], tenants === undefined ? 'The field tenants is missing' : 'Tenants must be a list');
    return;
  }
  for (const [index, entry] of tenants.entries()) validateTenant(validation, file, ['tenants', index], entry);
}

const tenantCollections = allKinds.filter(({ name, within }) => name !== 'tenant' && !within);

function validateTenant(validation: Validation, file: ParsedFile, path: Path, entry: unknown): void {
  if (!isRecord(entry)) {
    validation.faults.push({
      ...file.placeOf(path),
      message: 'A tenant must be an object with the field slug',
    });
    return;
  }
  const collections = tenantCollections.map(({ collection }) => collection);
  const own = Object.fromEntries(Object.entries(entry).filter(([name]) => !collections.includes(name)));
  const spec = validateEntry(validation, { file, path, kind: kindOf('tenant'), entry: own });
  const slug = typeof own.slug === 'string' ? own.slug.trim() : '';
  const tenant = validation.tenants.get(slug) ?? { place: file.placeOf(path), objects: [], byKey: new Map() };
  validation.tenants.set(slug, tenant);
  // A tenant with only a slug just contains objects and is not managed by the file.
  if (spec && Object.keys(own).length > 1)
    add(validation, tenant, { file, path, kind: kindOf('tenant'), spec });
  for (const kind of tenantCollections) {
    const value = entry[kind.collection];
    if (value !== undefined && value !== null)
      validateCollection(validation, tenant, {
        file,
        path: [...path, kind.collection],
        kind,
        value,
        parent: {},
      });
  }
}

type Tenant = NonNullable<ReturnType<Validation['tenants']['get']>>;

interface Collection {
  readonly file: ParsedFile;
  readonly path: Path;
  readonly kind: Kind;
  readonly value: unknown;
  readonly parent: Spec;
}

function validateCollection(
  validation: Validation,
  tenant: Tenant,
  { file, path, kind, value, parent }: Collection,
): void {
  if (kind.list) {
    const parsed = kind.list.schema.safeParse(value);
    if (parsed.success)
      add(validation, tenant, { file, path, kind, spec: { [kind.list.field]: parsed.data } });
    else reportIssues(validation, file, path, parsed.error);
    return;
  }
  if (kind.isSingle) {
    const spec = validateEntry(validation, { file, path, kind, entry: value });
    if (spec) add(validation, tenant, { file, path, kind, spec });
    return;
  }
  if (!Array.isArray(value)) {
    const name = kind.collection.replaceAll('_', ' ');
    validation.faults.push({ ...file.placeOf(path), message: `The field ${name} must be a list` });
    return;
  }
  for (const [index, entry] of value.entries()) {
    const place = [...path, index];
    const nested = kindsWithin(kind.name);
    const own = isRecord(entry)
      ? Object.fromEntries(
          Object.entries(entry).filter(([name]) => !nested.some(({ collection }) => collection === name)),
        )
      : entry;
    const spec = validateEntry(validation, { file, path: place, kind, entry: own });
    if (spec) add(validation, tenant, { file, path: place, kind, spec: { ...parent, ...spec } });
    for (const inner of nested) {
      const inside = isRecord(entry) ? entry[inner.collection] : undefined;
      if (inside === undefined || inside === null) continue;
      const names = { [inner.within?.field ?? '']: spec ? kind.titleOf(spec) : '' };
      validateCollection(validation, tenant, {
        file,
        path: [...place, inner.collection],
        kind: inner,
        value: inside,
        parent: names,
      });
    }
  }
}

interface Entry {
  readonly file: ParsedFile;
  readonly path: Path;
  readonly kind: Kind;
  readonly entry: unknown;
}

function validateEntry(validation: Validation, { file, path, kind, entry }: Entry): Spec | null {
  const unfit = findUnfitText(entry, []);
  if (unfit) {
    const message = 'Must not contain NUL or unpaired surrogate characters';
    validation.faults.push({ ...file.placeOf([...path, ...unfit]), message });
    return null;
  }
  const parsed = kind.schema.safeParse(entry);
  if (parsed.success)
    return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
  reportIssues(validation, file, path, parsed.error);
  return null;
}

function reportIssues({ faults }: Validation, file: ParsedFile, path: Path, { issues }: z.ZodError): void {
  for (const issue of issues) {
    const at = [...path, ...issue.path.filter((step) => typeof step !== 'symbol')];
    if (issue.code === 'unrecognized_keys') {
      for (const name of issue.keys)
        faults.push({ ...file.placeOf([...at, name], true), message: `Unknown field: ${shorten(name)}` });
    } else faults.push({ ...file.placeOf(at), message: issue.message });
  }
}

function add(
  validation: Validation,
  tenant: Tenant,
  { file, path, kind, spec }: Omit<Entry, 'entry'> & { readonly spec: Spec },
): void {
  validation.count++;
  const key = `${kind.name} ${kind.keyOf(spec)}`;
  const placeOf = (field?: string) =>
    file.placeOf(field === undefined || kind.list ? path : [...path, ...field.split('.')]);
  const before = tenant.byKey.get(key);
  if (before) {
    const message = `This ${kind.name.replaceAll('_', ' ')} is listed twice; the first is at ${formatFault({ ...before.placeOf(), message: '' }).replace(/: $/, '')}`;
    validation.faults.push({ ...placeOf(), message });
    return;
  }
  const wanted = { kind, key: kind.keyOf(spec), spec, file: file.file, placeOf };
  tenant.byKey.set(key, wanted);
  tenant.objects.push(wanted);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shorten = (name: string) => name.slice(0, 60);

function findUnfitText(value: unknown, path: Path): Path | null {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, part] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name;
    const found = findUnfitText(name, [...path, step]) ?? findUnfitText(part, [...path, step]);
    if (found) return found;
  }
  return null;
}
