import type { RoleName } from '@sluice/contract';
import type { TestTenant, World } from './world.ts';

/** Owners of the object in a path, from the caller's point of view. */
export const owners = ['own', 'other user', 'other tenant', 'missing'] as const;
export type Owner = (typeof owners)[number];

/** Object to create: its owner and the route. */
export interface Wanted {
  readonly tenant: TestTenant;
  readonly userId: number;
  readonly owner: Owner;
  readonly rowName: string;
  /** Role of the caller; absent if it does not matter. */
  readonly role?: RoleName | null;
}

export interface ObjectKind {
  readonly name: string;
  /** Creates an object and returns its id. */
  make(world: World, wanted: Wanted): Promise<string>;
  readonly missingId: () => string;
  /** Adds a user as a plain member. */
  join?(world: World, id: string, tenant: TestTenant, userId: number): Promise<unknown>;
  /** Whether an object of their own tenant is hidden from callers with a role. */
  isHidden?(role: RoleName | null, owner: Owner): boolean;
}
