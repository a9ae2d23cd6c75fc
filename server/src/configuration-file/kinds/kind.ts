import type { z } from 'zod';
import type { CheckEndpointUrl } from '#console/llm-providers/endpoint.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { PasswordHasher } from '#platform/password.ts';
import type { Secrets } from '../secrets.ts';

/** Object kinds in the order of creation. Each kind follows the kinds that it refers to. */
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

/** Fields of an object in the file's notation: other objects by name, secrets as references. */
export type Spec = Readonly<Record<string, unknown>>;

export interface Stored {
  /** Row id, or the tenant's id for kinds that exist once per tenant. */
  readonly id: number;
  readonly spec: Spec;
  /** Whether the object is omitted from exports and never pruned, such as a completed assignment. */
  readonly isHidden?: boolean;
  readonly normalize?: (field: string, wanted: unknown) => unknown;
  /** Returns the stored secret of a field; `null` if the field has no stored secret. */
  readonly openSecret?: (field: string) => string | null;
}

export interface Reference {
  readonly field: string;
  readonly kind: KindName;
  readonly name: string;
}

export interface ObjectIds {
  /**
   * The plan must already have found the object.
   * @throws Error if the object does not exist
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
  readonly wanted: Spec;
  readonly changes: Spec;
}

/** Object kind: its schema in the file, and functions to read, compare and change objects. */
export interface Kind {
  readonly name: KindName;
  /** Field of a tenant that lists the objects, or that contains the only object. */
  readonly collection: string;
  /** Whether the kind exists once per tenant. The collection is then the object. */
  readonly isSingle?: boolean;
  /** Kind of the containing object, and the field with the name of that object. */
  readonly within?: { readonly kind: KindName; readonly field: string };
  /** Schema of an entry. Optional fields have no defaults, so that an absent field keeps its stored value. */
  readonly schema: z.ZodObject;
  /**
   * Schema of a collection that is not a list of objects, and the field in which the single object contains the
   * collection.
   */
  readonly list?: { readonly schema: z.ZodType; readonly field: string };
  readonly keyFields: readonly string[];
  /** Fields that are used only when the object is created, such as a password. */
  readonly initialFields?: readonly string[];
  readonly secretFields?: readonly string[];
  /** Field names in the console's calls by the field names in the file. Used in errors. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** Returns the key of an object, which is unique within the tenant. */
  keyOf(spec: Spec): string;
  titleOf(spec: Spec): string;
  referencesOf?(spec: Spec): readonly Reference[];
  /** Returns whether the product treats two different values as equal. */
  isEqual?(field: string, stored: unknown, wanted: unknown): boolean;
  read(context: ReadContext): Promise<readonly Stored[]>;
  /** Creates an object. Returns its id if other kinds refer to the kind. */
  create(context: ApplyContext, wanted: Spec): Promise<number | undefined>;
  update(context: ApplyContext, change: Change): Promise<void>;
  remove(context: ApplyContext, stored: Stored): Promise<void>;
}

/** Returns the schema of a field without its default, so that an absent field remains absent. */
export function field(schema: z.ZodType): z.ZodType {
  const unwrapped = 'unwrap' in schema && schema.def.type === 'default' ? unwrapDefault(schema) : schema;
  return unwrapped.optional();
}

// safe because the definition's type is `default`
const unwrapDefault = (schema: z.ZodType) => (schema as z.ZodDefault).unwrap() as z.ZodType;

export function renameFields(spec: Spec, names: Readonly<Record<string, string>> = {}): Spec {
  return Object.fromEntries(Object.entries(spec).map(([name, value]) => [names[name] ?? name, value]));
}

export function omit(spec: Spec, names: readonly string[]): Spec {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !names.includes(name)));
}

export const text = (spec: Spec, name: string): string => String(spec[name]);
