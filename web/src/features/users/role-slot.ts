import type { Role } from '@sluice/contract';
import type { ReactNode } from 'react';

/** Role field, passed in by the page because it belongs to another feature. */
export type RoleSlot = (
  field: { value?: string; error?: ReactNode; disabled?: boolean; description?: string },
  held?: Pick<Role, 'id' | 'name'>,
) => ReactNode;
