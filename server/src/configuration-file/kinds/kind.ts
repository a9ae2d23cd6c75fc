import type { z } from 'zod';
import type { CheckEndpointUrl } from '#console/llm-providers/endpoint.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { PasswordHasher } from '#platform/password.ts';
import type { Secrets } from '../secrets.ts';

/** Kinds of objects, in the order in which they are created: each follows the kinds that it refers to. */
export const kindNames = [
  'tenant',
  'settings',
  'domain',
  'team',
  'user',
  'service_account',
  'team_member',
  'identity_provider',
  'sign_in_policy',
  'provider',
  'price',
  'fallback_order',
  'user_grant',
  'team_grant',
  'blacklist_entry',
  'task',
  'task_assignment',
  'api_access_task',
  'budget',
  'default_budget',
] as const;

export type KindName = (typeof kindNames)[number];

/** Fields of an object in the notation of the file: other objects by name, secrets as references. */
export type Spec = Readonly<Record<string, unknown>>;

/** An object in the database. */
export interface Stored {
  /** Id of its row, or the tenant's id for kinds that exist once per tenant. */
  readonly id: number;
  /** Every field that the export writes. */
  readonly spec: Spec;
  /** Whether the object is absent from exports and never pruned, such as a completed assignment. */
  readonly isHidden?: boolean;
  /** Returns a value of the file in the form that the product stores. */
  readonly normalize?: (field: string, wanted: unknown) => unknown;
  /** Returns the stored secret of a field; `null` if it has no secret. */
  readonly openSecret?: (field: string) => string | null;
}

/** A reference from a field to another object of the tenant. */
export interface Reference {
  readonly field: string;
  readonly kind: KindName;
  readonly name: string;
}

/** Ids of the tenant's objects by kind and key. */
export interface ObjectIds {
  /**
   * Returns the id of an object whose existence the plan has checked.
   * @throws Error if it does not exist
   */
  idOf(kind: KindName, name: string): number;
}

export interface ApplyDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  readonly checkEndpointUrl: CheckEndpointUrl;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly publicUrl: string;
  readonly secrets: Secrets;
}

/** Transaction of one tenant, with the dependencies of its changes. */
export interface ApplyContext extends ObjectIds {
  readonly tx: TenantTransaction;
  readonly tenantId: number;
  readonly author: Author;
  readonly deps: ApplyDeps;
}

export interface ReadContext {
  readonly tx: TenantTransaction;
  readonly tenantId: number;
  readonly keyring: Pick<Keyring, 'sealingKey'>;
}

export interface Change {
  readonly stored: Stored;
  /** All fields of the entry in the file. */
  readonly wanted: Spec;
  /** Changed fields only. */
  readonly changes: Spec;
}

/** One kind of object: its schema in the file, and how it is read, compared and changed. */
export interface Kind {
  readonly name: KindName;
  /** Field of a tenant that lists the objects, or contains the only one. */
  readonly collection: string;
  /** Whether the kind exists once per tenant; the collection is then the object. */
  readonly isSingle?: boolean;
  /** Kind of the containing object, and the field with its name. */
  readonly within?: { readonly kind: KindName; readonly field: string };
  /** Schema of an entry. Optional fields have no defaults: an absent field keeps its stored value. */
  readonly schema: z.ZodObject;
  /** Schema of a collection that is not a list of objects, and the field of the one object that contains it. */
  readonly list?: { readonly schema: z.ZodType; readonly field: string };
  /** Fields of the entry that identify it. */
  readonly keyFields: readonly string[];
  /** Fields that are used only when the object is created, such as a password. */
  readonly initialFields?: readonly string[];
  readonly secretFields?: readonly string[];
  /** Field names of the console's calls by their name in the file, for errors. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** Returns the identity of an object within its tenant. */
  keyOf(spec: Spec): string;
  titleOf(spec: Spec): string;
  referencesOf?(spec: Spec): readonly Reference[];
  /** Returns whether the product treats two different values as equal. */
  isEqual?(field: string, stored: unknown, wanted: unknown): boolean;
  read(context: ReadContext): Promise<readonly Stored[]>;
  /** Creates an object; returns its id if other kinds refer to this one. */
  create(context: ApplyContext, wanted: Spec): Promise<number | undefined>;
  update(context: ApplyContext, change: Change): Promise<void>;
  remove(context: ApplyContext, stored: Stored): Promise<void>;
}

/** Returns a schema's fields without defaults, so that an absent field stays absent. */
export function field(schema: z.ZodType): z.ZodType {
  const unwrapped = 'unwrap' in schema && schema.def.type === 'default' ? unwrapDefault(schema) : schema;
  return unwrapped.optional();
}

// safe because the definition's type is `default`
const unwrapDefault = (schema: z.ZodType) => (schema as z.ZodDefault).unwrap() as z.ZodType;

/** Returns the given fields under the names of the console's calls. */
export function renameFields(spec: Spec, names: Readonly<Record<string, string>> = {}): Spec {
  return Object.fromEntries(Object.entries(spec).map(([name, value]) => [names[name] ?? name, value]));
}

export function omit(spec: Spec, names: readonly string[]): Spec {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !names.includes(name)));
}

/** Returns a field whose schema is a string. */
export const text = (spec: Spec, name: string): string => String(spec[name]);
