import type { Role } from '@sluice/contract';
import type { ReactNode } from 'react';

/** The field of a role, which the page puts in: it belongs to another noun. */
export type RoleSlot = (
  field: { value?: string; error?: ReactNode; disabled?: boolean; description?: string },
  held?: Pick<Role, 'id' | 'name'>,
) => ReactNode;
