import type { RoleName } from '@sluice/contract';
import type { TestTenant, World } from './world.ts';

export const owners = ['own', 'other user', 'other tenant', 'missing'] as const;
export type Owner = (typeof owners)[number];

export interface Wanted {
  readonly tenant: TestTenant;
  readonly userId: number;
  readonly owner: Owner;
  readonly rowName: string;
  /** Role of the caller; omitted if the role does not matter. */
  readonly role?: RoleName | null;
}

export interface ObjectKind {
  readonly name: string;
  make(world: World, wanted: Wanted): Promise<string>;
  readonly missingId: () => string;
  join?(world: World, id: string, tenant: TestTenant, userId: number): Promise<unknown>;
  /** Returns whether an object in the caller's own tenant is hidden from callers with this role. */
  isHidden?(role: RoleName | null, owner: Owner): boolean;
}
