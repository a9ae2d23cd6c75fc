import type { RoleName } from '@sluice/contract';
import type { TestTenant, World } from './world.ts';

/** Whose object an id in a path names, as the caller sees it. */
export const owners = ['own', 'other user', 'other tenant', 'missing'] as const;
export type Owner = (typeof owners)[number];

/** An object to make: whose it is, and for which row. */
export interface Wanted {
  readonly tenant: TestTenant;
  readonly userId: number;
  readonly owner: Owner;
  readonly rowName: string;
}

export interface ObjectKind {
  readonly name: string;
  /** Makes an object and answers its id. */
  make(world: World, wanted: Wanted): Promise<string>;
  readonly missingId: () => string;
  /** Makes a person a plain member of it. */
  join?(world: World, id: string, tenant: TestTenant, userId: number): Promise<unknown>;
  /** Whether a caller of a role does not see an object of their own tenant. */
  isHidden?(role: RoleName | null, owner: Owner): boolean;
}
